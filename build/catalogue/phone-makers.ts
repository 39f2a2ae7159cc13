/** What names of phones say of their maker; data for matching (INPUTS "Matching", "Maker and series"). */
export interface PhoneMaker {
  readonly slug: string;
  /** The ways in which names spell the maker, lower case. */
  readonly spellings: readonly string[];
  /** Words that no phone of another maker has: a name that holds one need not say the maker. */
  readonly series: readonly string[];
  /** The series whose models need not say it beside the maker: `Samsung A54`, `Motorola G54`. */
  readonly unsaid?: string;
  /** Of which models that holds, where another series has some that are written alike (`Mi Note 10`, `Mi 9T`). */
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
  { slug: 'lenovo', spellings: ['lenovo'], series: [] },
  { slug: 'lg', spellings: ['lg'], series: ['optimus'] },
  { slug: 'microsoft', spellings: ['microsoft'], series: ['lumia'] },
  { slug: 'motorola', spellings: ['motorola'], series: ['moto', 'razr'], unsaid: 'moto' },
  { slug: 'nokia', spellings: ['nokia'], series: ['lumia', 'asha'] },
  { slug: 'nothing', spellings: ['nothing'], series: [] },
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
