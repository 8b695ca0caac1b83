const lines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** First sentences of descriptions for every trade; {s} and {s2} are two of the listing's services. */
export const openers = lines(`
  {b} is {n} people in {t}. You deal with {o} from the first message to the last day.
  Most of our days go into {s} and {s2}, mostly in {t} and the streets around it.
  {s} or {s2}? Both are everyday work for {b}.
  Ask around in {t}: {b} has been at it for {y} years.
  {o} runs {b} from {t} and still does the first visit in person.
  We began with {s} and were soon asked for {s2}; today {b} does both across {t}.
  If it is worth doing, it is worth doing once: that is how {b} works in {t}.
  A clear price, a date that holds, a tidy finish. {b} works all over {t}.
  {b} has a small crew, a full diary and room for one more job in {t}.
  Already have three quotes? Good. {b} will tell you where ours differs and why.
  Old house or new, {b} knows the homes of {t} inside out.
  For {y} years people in {t} have passed our number on, and we are grateful for it.
  Photos first, then a price, then a date: {b} keeps it simple in {t}.
  {o} grew up in {r} and started {b} here {y} years ago.
  Start small with us: many in {t} first asked for {s} and stayed.
  Busy households in {t} leave {s} to us and get their weekends back.
  {b} works in {t} from Monday to Saturday, and {o} answers messages on Sundays.
  Two things matter to us in {t}: that it is done well, and that you know what it costs.
  Landlords, families and small firms in {t} call {b} for {s} and {s2}.
  We are the people who come back: {b} checks its work in {t} after a month.
  Your neighbours may know us: {b} is in {t} most days of the week.
  No call centre and no script: {o} picks up, listens and tells you what is possible in {t}.
  {b} takes on jobs in {t} that others find too small.
  With {n} people and {y} years of practice, {b} looks after {t} and beyond.
  Whatever the last firm told you, let {b} have a look before you decide.
  In {t} we are known for {s}, and {s2} comes with it.
  Local, licensed where it is needed, and on time: {b} in {t}.
  Made for homes that are lived in: we work around your day in {t}.
  First time you need {s}? {o} explains each step before it costs anything.
  {b} keeps its promises in writing, for every job in {t}.
  Somebody has to be careful with other people's homes. In {t} that is us.
  {o} and {n} others make up {b}, and all of them live within half an hour of {t}.
  What would you like to be rid of first? Tell {b}, and {t} has one problem fewer.
  Not the cheapest in {t} and not the dearest: {b} does the work once.
  From the first photo to the final sweep, {b} looks after your job in {t}.
  People in {t} book us again, and that says more than we could.
  We like old houses, odd corners and honest questions, and {t} has all three.
  The van with {b} on its side has been parked all over {t}.
  {b} answers the same day, comes within the week and leaves {t} a little better.
  Here since {since}, and out in {t} almost every day: {b}.
  Every job in {t} gets a date, a price and a name to call.
  If you would rather have it done well than tomorrow, {b} is your firm in {t}.
  {o} learned the trade from family, and {b} teaches it to an apprentice each year.
  {b} is what you get when {n} careful people work together for {y} years.
  You know your home, we know the work: {b} listens first, all over {t}.
  Some call us after the first repair, some after the third. {b} in {t} is glad about both.
  Rain or shine, {b} is out in {t}, and {o} usually knows a good place for lunch.
  A firm handshake, a written quote and clean boots: {b}, at home in {t}.
  Flats, family homes and the odd shed: {b} has worked in every kind of place in {t}.
  You can ask {b} for the small things in {t} too. No job is too small.
  {b} started with one van, one ladder and {o}. Today there are {n} of us in {t}.
  Call it {y} years of learning what lasts in {t}, and what does not.
  Small jobs in {t} fill our Fridays, large ones the rest of the week.
  {o} answers the phone at {b}, and comes to look before a price is named.
  A photo of the problem is enough for {b} to tell you what it will take in {t}.
  Three streets or three suburbs away, {b} covers {t} and charges no travel within it.
  Ask {b} for {s}, and you get the same two faces from the first day to the last in {t}.
  Half of our work in {t} is for people who called us before.
  {n} of us, one diary, and nobody in {t} who waits for a call back: that is {b}.
  The quote from {b} has one page, one total and no small print, in {t} and around it.
  {s} is our trade, {s2} our second: {b}, based in {t}.
  Some firms want the whole house. {b} is happy to start with one room in {t}.
  Tell {o} what you would like and what you can spend, and {b} says honestly what fits, anywhere in {t}.
  We turn up in {t} on the day that we named. You would be surprised how rare that is.
  Since {since} {b} has kept its number, its name and its neighbours in {t}.
  {b} is run by {o}, who would rather lose a job in {t} than do it badly.
  Old hands and one apprentice: the team of {b} is at home in {t}.
  Weekday mornings suit us best in {t}, but {b} finds an evening where you need one.
  You will find {b} in {t} on most building sites, and in a good many kitchens.
  {b} does {s} in {t} and leaves nothing behind but the result.
  Whether it is {s} or {s2}, {b} explains the choice before you make it.
  No job in {t} is finished until you have walked around it with {o}.
  {b} began in a garage in {t} and has never needed a bigger office.
  Our calendar for {t} is open online, so you see what {b} can do this month.
  Insurance, references, a price in writing: {b} brings all three to {t} unasked.
  From {t} it is half an hour to every customer that {b} takes on.
  Good work in {t} is our only advertisement, says {o}, and so far it has been enough.
  {b} keeps a list of what it did in each home in {t}, and you can have yours.
  Bring us in early or bring us in late: {b} works well with other trades in {t}.
  {o} has {y} years of stories about {s} in {t}, most of them with a happy end.
  You asked for someone reliable in {t}. {b} has been called that for {y} years.
  {b} brings its own tools, its own dust sheets and its own lunch to {t}.
  What {b} promises in {t} on Monday is still true on Friday.
  {s} takes practice, and {b} has had {y} years of it in {t}.
  There are cheaper quotes in {t}, and there are dearer ones. {b} writes the one that it keeps.
  {o} lives in {t}, shops in {t} and meets customers at the school gate.
  Every second call to {b} in {t} is about {s}, and we never tire of it.
  {n} people, {n} phones and one answer: {b} in {t}.
  A job in {t} is booked in five minutes and explained in ten: that is {b}.
  When something goes wrong in {t}, {b} says so first and puts it right second.
  {b} has grown slowly in {t}, because every new hand learns beside {o}.
  {s2} was a favour to a neighbour in {t} once. Now {b} does it every week.
  Mornings in {t}, afternoons nearby: the vans of {b} never go far.
  {b} measures before it promises, which saves everyone in {t} a second visit.
  Plain words, plain prices, clean edges: {b}, working in {t}.
  {o} and the team have seen most of what {t} can do to a house.
  There is a reason why builders in {t} send their own families to {b}.
  {b} fits in with you: before work, between school runs or while you are away from {t}.
  Have a look at our photos of {s} in {t}, then tell {o} what you would change.
  For {s} in {t} you need good hands and good manners. {b} employs both.
  {b} is small enough to care and big enough to turn up in {t} when someone is ill.
  Tell us about the job in {t} in your own words; {o} asks the right questions.
  In {t} since {since}, with the same owner and mostly the same faces: {b}.
  We keep evenings free for people in {t} who cannot take a day off, says {o}.
  {b} counts its work in {t} in years that it lasts, not in hours that it took.
  {s}, {s2} and an honest opinion: what {b} brings to {t}.
  The first thing {b} does in {t} is listen. The second is measure.
  {b} tells you in {t} what can wait, and what had better not.
  If {b} is late, you hear from {o} before you look at the clock, anywhere in {t}.
  People move away from {t} and still ask {b} whom to call there.
  {b} parks tidily, knocks once and wipes its feet: small things that {t} remembers.
  Fair, thorough and easy to reach: that is what {t} says of {b}.
  When {b} leaves a home in {t}, the only thing left behind is the work.
  We measure ourselves by how rarely {t} has to call us back.
  {o} keeps a list of every home in {t} that {b} has worked on, and what it will need next.`);

/** Sentences about how a business works, for every trade. */
export const manners = lines(`
  We quote in writing within two days and the price does not move unless you change the job.
  Quotes are free anywhere in {t} and there is no travel charge.
  You deal with one person from the first call to the last sweep of the broom.
  Send photos through the site and you will usually have a price range the same evening.
  We turn up when we say. If we run late, you hear it from us first.
  Payment is due when you are happy, not before.
  Ask for references. We will give you the numbers of three people in your street, if we can.
  Small jobs are welcome; they are how we met most of our regulars.
  We are fully insured and keep our certificates up to date.
  Everything is tidied up at the end of each day, not just the last one.
  We explain what we do in plain words and leave the choice to you.
  If something is not right, tell us and it is fixed first, discussed later.
  Our hours are seven to five, with evenings by arrangement.
  We work Saturdays at the weekday price.
  Pensioners and community groups pay ten percent less.
  We keep a spare day each week for people who cannot wait.`);

export const closings = lines(`
  Message us with your address and two or three photos, and we take it from there.
  We cover {t} and about forty minutes around it.
  Tell us what bothers you most and we start with that.
  Serving {t} and beyond. If you are not sure, just ask: we probably come to you.
  We look forward to hearing from you.
  A message costs nothing and commits you to nothing.
  Booked out for about two weeks at the moment; sooner for urgent work.
  Currently taking new customers in {t}.
  {o} answers messages personally, usually within a few hours.
  Describe the job in a few words; we ask the rest.
  If we are not the right people for it, we will tell you who is.
  Happy to come by for a look, with no strings attached.`);

export const abouts = lines(`
  {b} is a family business from {t}. {o} started it {y} years ago and the next generation is learning the trade.
  We are a team of {n} based in {t}, known for turning up on time and leaving places tidy.
  {o} has worked in the trade for {y} years, the last of them as {b}, with customers all over {r}.
  {b} is locally owned and run from {t}. Most of our work comes from people who were told about us by a neighbour.
  Small on purpose: {o}, {n} good people and two vans. That way every job gets the attention that it needs.
  We live and work in {t}. Our children go to school with yours, so we do every job as if you could meet us tomorrow. You can.
  {b} has looked after homes and businesses in {r} since {since}. Licensed, insured and easy to talk to.
  After years with larger firms, {o} set up {b} to do the work properly and without hurry.
  A crew of {n}, one promise: what we quote is what you pay. {b} works all over {r}.
  {b} employs {n} people in {t}, trains an apprentice every year and supports the local sports and surf clubs.
  Two sisters, one brother and a van: {b} has been part of {t} for {y} years.
  We started {b} from a garage in {t}. Today there are {n} of us, and the garage is a little larger.`);

/** First sentences of good reviews, for every trade. */
export const warmStarts = lines(`
  Really happy with this.
  Excellent from start to finish.
  Could not ask for more.
  Five stars from us.
  Great communication throughout.
  Second time we used them and just as good.
  Recommended by a neighbour and now by me.
  Super friendly and on time.
  Quick reply, fair quote, done within the week.
  Top job.
  {o} and the team were brilliant.
  {o} was great to deal with.
  What a difference.
  Best in {t}, and I have tried a few.
  Professional and kind.
  Ka pai!
  Good old-fashioned service.
  Easy from the first message.
  Turned up exactly when promised.
  Very tidy work.
  Honest people.
  So glad we asked them.
  A pleasure to have them here.
  Everything went to plan.
  Friendly, quick and careful.
  They know what they are doing.
  Impressed.
  New to {t} and found them here.
  Third job with {b} by now.
  Nothing but praise.
  As good as the reviews say.
  Calm and capable.`);

/** Praise for every trade; {s} is one of the listing's services. */
export const sharedPraise = lines(`
  Booked them for {s} and would do so again tomorrow.
  They rang when they were ten minutes away.
  The quote was clear and the invoice matched it to the cent.
  {o} noticed something we had missed and told us before it got worse.
  We had three quotes, and theirs was the only one that we understood.
  Worked through the rain so that we could use the room by Friday.
  Took their shoes off without being asked.
  Explained what they did and why, in words that I could follow.
  Came on a Saturday because we both work.
  The dog loved them, and she is hard to please.
  Needed {s} in a hurry and had it done within three days.
  You can tell that {o} likes this work.
  Sent photos while we were away, so we did not worry.
  Nobody tried to sell us anything extra.
  Even the neighbours asked who had been here.
  Every question was answered the same evening.
  They moved the furniture and put every piece back.
  Good with my elderly parents, patient and clear.
  We changed our mind half-way and it was no drama.
  The apprentice was as careful as the boss.
  Kept to the budget, although we had surprises in store.
  The result is better than what we had pictured.
  Asked where to park and where to put the rubbish: small things, but they count.
  Half of what another firm wanted, and nicer to deal with.
  They came back a week later to check that all was well.
  I run a rental and this was the easiest job of the year.
  Started at seven, finished by lunch.
  Told us what could wait until next year.
  Left a list of what they had done, with dates.
  {s} done properly at last, after two others had tried.
  Made time for a small job between two big ones.
  I work nights, and they were as quiet as they could be.
  Gave us a choice of three ways to do it, with a price for each.
  Nothing broken, nothing forgotten, nothing left behind.
  The team talked to each other and to us, which is rarer than it should be.
  They were recommended for {s} and I can see why.
  A month later it still looks as it did on the first day.
  Booked through the site, answered within the hour.
  They did exactly what was agreed, no more and no less.
  I learned a lot by watching them.
  The kids were allowed to watch from a safe place.
  Worth the two weeks of waiting.
  They labelled everything for next time.
  It rained all week and they still kept the date.
  Gave me a fair price for {s} and stuck to it.
  Quietly competent.
  I had put this off for years and it took them a morning.
  They treat a small flat as seriously as a big house.
  Our old place has its quirks, and they knew all of them.
  {o} rang a week later to ask if we were happy. We were.
  They found a cheaper way than the one we had asked for.
  Best money we have spent on this house.
  Clear about what is guaranteed and for how long.
  They swept the drive before they left.
  No jargon, no hurry, no fuss.
  They brought the right parts the first time.
  For {s} I will not look anywhere else.
  They worked around my baby's naps.`);

export const warmEnds = lines(`
  Will book again.
  Thanks, {o}!
  Highly recommended.
  Worth every dollar.
  Fair price too.
  Already booked for next time.
  Nothing was too much trouble.
  Price was as quoted.
  Would not hesitate to use them again.
  Wish we had called earlier.
  Left everything spotless.
  Ngā mihi nui.
  Cheers {o}, you legend.
  My parents will be next.
  Saved their number.
  Great to support a local business.
  Ten out of ten.
  Do not look any further.
  Thank you all.
  We will be back.
  My sister has booked them too.
  Would give six stars if I could.
  Money well spent.
  They have a customer for life.
  Could not be happier.
  Already told the whole street.
  See you next year.
  A real find.`);

export const reservations = lines(`
  Only took a little longer than planned.
  A touch pricey, but you get what you pay for.
  Came an hour late, though they did ring ahead.
  Had to remind them of one small thing, done the next day.
  Waited two weeks for a slot.
  Parking was a bit of a hassle for the neighbours.
  Invoice took a while to arrive.
  Would have liked a text before they came.`);

export const middling = lines(`
  Work is fine, communication could be better. Had to chase for a date twice.
  Decent result but it took two visits more than planned.
  Okay overall. The price went up a little for things that I thought were included.
  Good work, but the place was left messy on the first day.
  Average. Not bad, not great. They did come back to fix one spot.
  Job is done and seems solid. Arrived two hours late without a call.
  Friendly people, slow progress. In the end we are satisfied.
  Some of it very good, some of it rushed. Fixed after I complained.
  The work holds, the paperwork took forever.
  Good on the day, hard to reach before it.
  Fine for the price, but I expected more care with the details.
  Started well and then went quiet for a week. Finished in the end.
  Three people came on three days and each asked the same questions.
  It does what it should, though it is not what I had pictured.`);

/** Closing sentences of bad reviews. */
export const sighs = lines(`
  A pity, because the start was promising.
  I would ask more questions next time.
  We have agreed on a part of the money back.
  They did apologise in the end.
  Others may have had more luck.
  It took four phone calls to get that far.
  I am still waiting for the last invoice.
  Please answer your messages.
  For that price I had hoped for more.
  We finished it ourselves.`);

export const unhappy = lines(`
  Cancelled twice on the morning itself. Found someone else in the end.
  Not happy. Had to have part of it done again by another company.
  Quote and invoice were far apart and nobody could explain why.
  Never came back to finish the last part despite three messages.
  Left a mess and a scratch on the floor. An apology would have been nice.
  Took the deposit, then weeks of silence. Done in the end, but never again.
  Expected much more after the good reviews. Maybe we were unlucky.
  Rude on the phone when I asked about the delay.
  Two of three appointments were missed.
  What was done on Monday had to be done again on Thursday.
  The person who came was not the one we had talked to, and knew nothing of the job.
  Wanted a third more at the end than was agreed at the start.`);

export const messageStarts = lines(`
  Hi {o},
  Hello,
  Kia ora {o},
  Hi there,
  Good morning,
  Hey {o},
  Hello {b},
  Kia ora,
  Hi team,`);

export const messageBodies = lines(`
  I need {ask} at our place in {t}. When would you have time to come and have a look?
  we need {ask}. Could you give us a rough price and tell us how soon you could start?
  a friend recommended you. We need {ask}, ideally within the next three weeks. Is that possible?
  I would like to have {ask}. The house is a single-storey weatherboard from the sixties.
  do you also come out to us, just outside {t}? We need {ask}.
  we just bought a house in {t} and want {ask}. We move in next month, so there is some time.
  I am after {ask}. I can send photos if that helps. Weekdays after three suit us best.
  could you call me? I need {ask}. It is a rental, so the tenants would let you in.
  I need {ask}. Is that something you do? If so, what would it cost, more or less?
  we need {ask} and have one quote already. Happy to show you everything on site.
  my mother lives in {t} and needs {ask}. She is at home most days, a morning would be best for her.
  we saw your work at the neighbours' and want {ask} as well. How long is your waiting list?`);

export const messageEnds = lines(`
  Thanks!
  Thank you, looking forward to your reply.
  Cheers
  Many thanks
  Ngā mihi
  No rush, but this month would be great.
  You can reach me here or by email.
  Thanks a lot in advance.`);
