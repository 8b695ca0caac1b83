const lines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** How a business works, whatever its trade. */
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
  Everything is tidied up at the end of each day, not only of the last.
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
  Serving {t} and the rest of {r}. Ask if you are not sure, we probably come to you.
  We look forward to hearing from you.
  A message costs nothing and commits you to nothing.
  Booked out about two weeks at the moment, sooner for urgent work.
  Currently taking new customers in {t}.
  {o} answers messages personally, mostly within a few hours.
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
  A crew of {n}, one promise: what we quote is what you pay. {b} works across {t} and {r}.
  {b} employs {n} people in {t}, trains an apprentice every year and supports the local sports and surf clubs.
  Two sisters, one brother and a dog called Biscuit: {b} has been part of {t} for {y} years.
  We started {b} from a garage in {t}. Today we are {n}, and the garage is a little larger.`);

/** Comments that fit every trade, before or after what is particular to it. */
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
  Very tidy work.`);

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
  Great to support a local business.`);

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
  Some of it very good, some of it rushed. Fixed after I complained.`);

export const unhappy = lines(`
  Cancelled twice on the morning itself. Found someone else in the end.
  Not happy. Had to have part of it done again by another company.
  Quote and invoice were far apart and nobody could explain why.
  Never came back to finish the last part despite three messages.
  Left a mess and a scratch on the floor. An apology would have been nice.
  Took the deposit, then weeks of silence. Done in the end, but never again.
  Expected much more after the good reviews. Maybe we were unlucky.
  Rude on the phone when I asked about the delay.`);

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
