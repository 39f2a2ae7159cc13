import { createRandom, type Random } from '../../support/random.ts';
import type { Phone } from './phone-range.ts';

/** Sentences an editor might write. `%` stands for the name of the phone, `$` for its storage. */
const SENTENCES: readonly string[] = [
  'The % is what happens when a maker listens for three years and then builds one thing well.',
  'Its screen is bright enough for a beach in July and dim enough for a bedroom at two in the morning.',
  'You get $ of storage, which is room for years of photographs if you clear out the blurred ones now and then.',
  'The battery lasts a day and a half for most people, and a long day for those who navigate, film and call all at once.',
  'Charging to half takes some twenty minutes with the charger that the maker would like you to buy.',
  'In the hand it feels lighter than its size suggests; the weight sits low, where the fingers are.',
  'The main camera is at its best in ordinary light, and better than you expect once the sun has gone.',
  'Portraits keep loose hair and spectacles apart from the background without the cut-out look of older phones.',
  'Video is steady even when you walk, and the microphones leave out most of the wind.',
  'There is a slot for one SIM card and room for an eSIM, so a second number costs you nothing but a code.',
  'It pays in shops, opens car doors of the better kind, and works as a ticket on most railways.',
  'Updates are promised for years, which matters more than any number on the box.',
  'The loudspeakers are louder than they are rich, and fine for a kitchen.',
  'It survives half an hour in fresh water; the sea, the maker writes, is another matter.',
  'If you come from a phone of four years ago you will notice the speed first and the camera every day.',
  'If you come from last year’s model, keep it for another year and put the money into a larger plan.',
  'Networks give this phone away with large plans, and ask for very little upfront with middling ones.',
  'Compare by the total cost and not by the month: over thirty-six months a small difference is a second phone.',
  'Resellers often undercut the networks’ own shops by two or three pounds a month on the very same plan.',
  'Every price on this page was checked last night, and what could not be checked is not shown.',
  'Cashback by redemption is real money, if you remember to ask for it in the right month; automatic cashback remembers for you.',
  'Free gifts come with some of the larger contracts and are sent within a month of the phone.',
  'With unlimited data there is nothing to count; below a hundred gigabytes look at what you used last month first.',
  'All contracts include calls and texts to ordinary numbers, and what is not ordinary is listed by the network.',
  'The frame is metal, the back is glass, and a case is a good idea.',
  'Delivery is free with every retailer in the list and usually takes a day.',
  'You may send it back within fourteen days, for any reason, if it was bought over the telephone or the web.',
  'Prices of the % have come down since its launch and tend to fall again in November.',
];

export interface PhoneText {
  readonly heading: string;
  readonly introduction: string;
  readonly pageHeading: string;
  readonly pageIntroduction: string;
  readonly description: string;
  readonly keywords: string;
}

/** Texts of realistic length: introductions of a few hundred characters to two kilobytes. */
export function writePhoneText(phone: Phone): PhoneText {
  const random = createRandom(Number(phone.id) * 2 + (phone.condition === 'new' ? 0 : 1));
  return {
    heading: `${phone.name}: compare contracts from every network`,
    introduction: writeParagraph(phone, random, 3 + random.below(6)),
    pageHeading: `${phone.name} deals, checked every night`,
    pageIntroduction: writeParagraph(phone, random, 4 + random.below(16)),
    description: `Compare ${phone.name} contracts by upfront cost, monthly price and what they cost altogether.`,
    keywords: `${phone.name.toLowerCase()}, ${phone.modelName.toLowerCase()} deals, ${phone.maker.slug} contracts, ${phone.storage} phone`,
  };
}

function writeParagraph(phone: Phone, random: Random, sentenceCount: number): string {
  const first = random.below(SENTENCES.length);
  const step = 1 + 2 * random.below(4);
  const sentences: string[] = [];
  for (let i = 0; i < sentenceCount; i++) sentences.push(SENTENCES[(first + i * step) % SENTENCES.length] as string);
  return sentences.join(' ').replaceAll('%', phone.name).replaceAll('$', phone.storage);
}
