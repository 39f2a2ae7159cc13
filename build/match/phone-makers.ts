/** The words by which names of phones mean a maker; data for matching (INPUTS "Matching", "Maker and series"). */
export interface PhoneMaker {
  readonly slug: string;
  /** The spellings of the maker, in lower case. */
  readonly spellings: readonly string[];
  /** Words that no phone of another maker has: with one of them, the maker may be missing. */
  readonly series: readonly string[];
  /** The series that may be missing next to the maker: `Samsung A54`, `Motorola G54`. */
  readonly unsaid?: string;
  /** The models for which that holds, where another series has similar names (`Mi Note 10`, `Mi 9T`). */
  readonly unsaidModels?: RegExp;
  /** The brand under which this one is also sold: `Xiaomi Redmi Note 12`. */
  readonly parent?: string;
}

export const PHONE_MAKERS: readonly PhoneMaker[] = [
  { slug: 'alcatel', spellings: ['alcatel'], series: ['pixi', 'idol'] },
  { slug: 'apple', spellings: ['apple'], series: ['iphone'], unsaid: 'iphone' },
  { slug: 'asus', spellings: ['asus'], series: ['zenfone'] },
  { slug: 'blackberry', spellings: ['blackberry'], series: [] },
  { slug: 'cat', spellings: ['cat'], series: [] },
  { slug: 'doro', spellings: ['doro'], series: [] },
  { slug: 'fairphone', spellings: ['fairphone'], series: [] },
  { slug: 'google', spellings: ['google'], series: ['pixel'], unsaid: 'pixel' },
  { slug: 'hmd', spellings: ['hmd'], series: [] },
  { slug: 'honor', spellings: ['honor'], series: ['magic'] },
  { slug: 'htc', spellings: ['htc'], series: ['desire', 'wildfire'] },
  { slug: 'huawei', spellings: ['huawei'], series: ['mate', 'nova', 'pura', 'ascend'] },
  { slug: 'infinix', spellings: ['infinix'], series: [] },
  { slug: 'itel', spellings: ['itel'], series: [] },
  { slug: 'lenovo', spellings: ['lenovo'], series: [] },
  { slug: 'lg', spellings: ['lg'], series: ['optimus'] },
  { slug: 'microsoft', spellings: ['microsoft'], series: ['lumia'] },
  { slug: 'motorola', spellings: ['motorola'], series: ['moto', 'razr'], unsaid: 'moto' },
  { slug: 'nokia', spellings: ['nokia'], series: ['lumia', 'asha'] },
  { slug: 'nothing', spellings: ['nothing'], series: [] },
  { slug: 'nubia', spellings: ['nubia'], series: [] },
  { slug: 'oneplus', spellings: ['oneplus', 'one plus'], series: ['nord'] },
  { slug: 'oppo', spellings: ['oppo'], series: ['reno', 'find'] },
  { slug: 'poco', spellings: ['poco'], series: ['poco'], parent: 'xiaomi' },
  { slug: 'realme', spellings: ['realme'], series: ['narzo'] },
  { slug: 'redmi', spellings: ['redmi'], series: ['redmi'], parent: 'xiaomi' },
  { slug: 'samsung', spellings: ['samsung'], series: ['galaxy'], unsaid: 'galaxy' },
  { slug: 'sony', spellings: ['sony'], series: ['xperia'], unsaid: 'xperia' },
  { slug: 'tcl', spellings: ['tcl'], series: [] },
  { slug: 'tecno', spellings: ['tecno'], series: ['camon', 'pova'] },
  { slug: 'vivo', spellings: ['vivo'], series: [] },
  {
    slug: 'xiaomi',
    spellings: ['xiaomi'],
    series: ['redmi', 'poco'],
    unsaid: 'redmi',
    unsaidModels: /\bnote (?!(?:2|3|10)\b)[0-9]|\b[0-9]{1,2}[ac]\b|\ba[4-9]\b/,
  },
  { slug: 'zte', spellings: ['zte'], series: ['axon', 'blade'] },
];

/**
 * Models that are sold both with and without 5G (or 4G), as two phones, so that this word is never ignored (INPUTS
 * "Matching", "5G and 4G"). By maker, without the words `Galaxy` and `Moto`. A `*` at the end of a word stands for the
 * rest of it. A `+` at the end of an entry includes its variants: `note 10 +` is also `Note 10 Ultra`.
 */
export const MODELS_WITH_AND_WITHOUT_5G: Readonly<Record<string, readonly string[]>> = {
  google: splitList('pixel 4a'),
  hmd: splitList('105, 110, 130, 150, 3210'),
  honor: splitList(`x6, x6a, x6b, x7, x7b, x7c, x7d, x8, x8a, x8b, x8c, x8d, x9, magic 4 lite, 3c, 70 lite, 200 lite,
    400 smart`),
  htc: splitList('desire 20 pro, desire 21 pro, desire 22 pro, u20, sensation'),
  huawei:
    splitList(`mate 20 x, mate 30, mate 30 pro, mate 40 pro, mate 40e, mate 50 pro, mate x2, p40, p40 lite, p50, p50 pro,
    nova 6, nova 8, nova 8 pro, ascend g6, ascend p1`),
  infinix:
    splitList(`hot 20, hot 30, hot 40, hot 50, hot 60, note 12, note 12 pro, note 30, note 30 pro, note 40, note 40 pro, note 50,
    zero 20, zero 30, zero 40`),
  itel: splitList('p55'),
  lg: splitList('velvet, v50, g2 mini'),
  motorola: splitList('g* +, atrix, razr, one, z2, z3'),
  nokia: splitList('105, 106, 108, 110, 130, 150, 215, 220, 225, 230, 235, 2660, 3210, 3310, 5710, 6300, 8000, g42'),
  nubia: splitList('neo 3'),
  oneplus: splitList('7 pro'),
  oppo: splitList(`a3, a3 pro, a3x, a5, a5 pro, a5x, a6, a6 pro, a6x, a53, a53s, a54, a54s, a55, a57, a57s, a58, a60, a72, a73, a74, a77, a77s, a78,
    a91, a93, a94, a95, f19 pro, f21 pro, reno 3, reno 3 pro, reno 4, reno 4 pro, reno 5, reno 5 lite, reno 6,
    reno 7, reno 7 lite, reno 8, reno 8 pro, reno 8t, reno 11 f, reno 11f, reno 12 f, reno 12f, reno 13 f,
    reno 13f`),
  realme:
    splitList(`7, 7i, 8, 9, 9i, 10, 11, 11x, 12, 12x, 13, 14, 14x, c55, c63, c65, c67, c75, c85, narzo 30, narzo 50,
    narzo 60, v5`),
  samsung: splitList(`a06, a07, a13, a14, a15, a16, a17, a22, a23, a32, a51, a52, a71, f13, f14, j1, m13, m14, m32,
    s10 +, s20 +, note 10 +, note 20 +, z flip, fold`),
  tcl: splitList('20, 30, 30 plus, 40, 40 nxtpaper, 50, 50 nxtpaper, 60, 60 se'),
  tecno:
    splitList(`camon 18, camon 19, camon 19 pro, camon 20, camon 20 pro, camon 30, camon 40, camon 40 pro, pop 9, pova,
    pova 4, pova 5, pova 5 pro, pova 6, pova 6 neo, pova 7, pova neo, spark 10, spark 20 pro, spark 30, spark 30c, spark 40`),
  vivo: splitList(`y04, y15s, y21, y27, y28, y29, y30, y31, y33s, y35, y36, y52, y52s, y53s, y55, y55s, y72, y73, y75, y76, y76s, y77, y78, y100,
    y200, v17, v20, v21, v21e, v23, v23e, v25, v30 lite, v40 lite, v50 lite, v60 lite, t1, t2, s1`),
  xiaomi:
    splitList(`redmi 9, redmi 10, redmi 10 prime, redmi 12, redmi 13, redmi 13c, redmi 14c, redmi 15, redmi 15c, redmi a4,
    redmi note 9, redmi note 9 pro, redmi note 9t, redmi note 10 +, redmi note 10s, redmi note 10t, redmi note 11 +,
    redmi note 11s, redmi note 11t, redmi note 12 +, redmi note 12s, redmi note 13 +, redmi note 13s, redmi note 14 +, redmi note 14s,
    redmi note 15, redmi note 15 pro, poco m3 pro, poco m4, poco m4 pro, poco m6, poco m6 pro, poco m7, poco c75, poco c85, mi 10 lite, mi 11 lite,
    mi mix 3`),
  zte: splitList(`axon 10 pro, axon 11, axon 40, blade v40, blade v50, blade v50 design, blade v60, blade v70, blade a72, blade a73,
    blade a75, blade a76`),
};

/** The items of a text that are separated by commas. */
function splitList(text: string): readonly string[] {
  return text.split(/,\s+/);
}
