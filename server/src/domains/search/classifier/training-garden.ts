// Training data as in `training-home.ts`: garden and landscape.

export const gardenTexts: Record<number, string> = {
  11: `gardener
    gardeners near me
    garden service
    landscape and lawn
    gardening
    grounds maintenance
    garden help
    my garden is a jungle
    overgrown section
    the yard is out of control
    regular gardener for an hour or two`,
  1101: `lawn mowing
    lawnmowing
    mow the lawn
    lawn mower man
    grass cut every week or fortnight
    long grass, overgrown lawn
    edges trimmed and weed eating, whipper snipper
    lawn care, fertiliser, weed and feed
    lawn full of moss, clover, prickles, onehunga weed
    patchy lawn, brown spots, lawn grubs
    reseed and top dress the lawn
    aerate the lawn, dethatching
    hedge trimming and cutting
    weeding the garden beds
    garden maintenance and tidy up
    ride on mower for a big section or paddock
    leaves raked up and green waste removed
    mulch and prune roses and shrubs
    spray weeds on the path
    slashing of a paddock, blocks cleared
    rental property lawns
    trim bushes and shrubs
    nature strip and berm mown
    buffalo, kikuyu, couch and ryegrass
    garden tidy before selling
    gardener to weed, prune and mulch
    clippings taken away
    mowing contractor for several acres`,
  1102: `tree services
    arborist
    tree removal
    tree felling, cut down a tree
    tree lopper, tree lopping
    tree trimming and pruning
    tree surgeon
    stump grinding and stump removal
    branches over the house, roof or power lines
    dangerous tree leaning after a storm
    fallen tree
    dead tree
    pine, gum, palm, willow, macrocarpa, poplar
    crown reduction and thinning
    hedge of tall conifers topped
    tree roots lifting the path
    wood chipper and mulching
    tree report for the council
    palm cleaning and frond removal
    tree blocks the sun or the view
    firewood cut from a felled tree
    bamboo removal
    protected tree, pohutukawa, kauri
    fruit trees pruned, apple and citrus
    overhanging limbs cut back
    neighbour's tree drops leaves
    transplant a tree`,
  1103: `irrigation
    irrigation system
    sprinkler system
    sprinklers installed or repaired
    reticulation, retic
    pop up sprinklers
    drip irrigation
    automatic watering with timer
    watering system for garden and lawn
    irrigation controller not working
    solenoid valve
    broken sprinkler head
    garden tap timer and hoses
    water pump for irrigation, bore pump
    micro sprays for pots and beds
    greywater system for the garden
    rainwater used on the garden, pump from the tank
    vineyard and orchard irrigation
    sprinkler pipe leaks
    soaker hose
    wifi irrigation controller
    lawn is dry, water it automatically
    station does not come on
    watering while on holiday`,
  1104: `landscaping
    landscaper
    landscape design
    landscape architect
    garden design and planting plan
    whole garden makeover
    back yard makeover, redo the back yard
    native plants, natives garden
    low maintenance garden
    planting of trees, shrubs and flowers
    stone walls, rocks and boulders
    outdoor entertaining area, fire pit
    new section from scratch, bare dirt
    garden beds shaped and mulched
    tropical, cottage, coastal, dry or succulent garden
    terraced garden
    screening plants for privacy
    topsoil and earthworks for a garden
    steep bank planted
    outdoor kitchen and pool landscaping
    tired garden redesigned
    swale, rain garden
    landscape plan for a new build
    hard and soft landscaping
    remove the old garden and start again
    sandstone steps, stepping stones`,
  1105: `garden installations
    raised garden beds built
    vegetable garden boxes, veggie patch
    greenhouse or glasshouse put up
    shade house, shade sail
    pond, fountain or water feature
    garden lights and outdoor lighting
    instant lawn, ready lawn or turf laid
    artificial grass, synthetic turf, fake lawn
    garden shed installed
    compost bins and worm farm
    trellis, arch or arbour
    statue, bird bath, garden art
    planter boxes
    putting green
    garden edging installed
    swing seat and play area
    chicken coop
    solar lights in the garden
    bark and soft fall playground
    fish pond, koi, pond pump
    herb garden in boxes
    new turf rolled out`,
};
