import type { Condition } from '../record/product.ts';
import type { ParameterName } from './endpoint.ts';
import type { FilterKind, Offer, QuantityOperator } from './filter.ts';
import type { DealSortKey, ProductSortKey } from './vocabulary.ts';

/**
 * The usual words of other interfaces (JSON:API, OData, Strapi, GitHub, Stripe, Shopify, Elasticsearch, WordPress, Django,
 * json-server), each with the word to use here. None is accepted; they make error messages helpful (D4).
 */
export interface ForeignWord {
  /** Separated by spaces, as `joinWords` writes them: `per_page`, `perPage` and `per-page` are all `perpage`. */
  readonly words: string;
  /** Queries that ask for it. `<…>` stands for a value; `products(` for the wrapper of the endpoint that was asked. */
  readonly uses: readonly string[];
  /** Ends the sentence that names them. */
  readonly note?: string;
}

export const PARAMETER_USES = {
  expand: 'expand=products(<word>)',
  fields: 'fields=products(<word>)',
  limit: 'limit=<number of products>',
  sort: 'sort=products(<key>-asc)',
} as const satisfies Partial<Record<ParameterName, string>>;

/** In place of a parameter. */
export const FOREIGN_PARAMETERS: readonly ForeignWord[] = [
  {
    words:
      'perpage pagesize size count first top take rows max maxresults pagelimit paginationlimit paginationpagesize ' +
      'postsperpage hitsperpage itemsperpage resultsperpage results num numresults maxitems n',
    uses: [PARAMETER_USES.limit],
  },
  {
    words:
      'page pagenumber pageno pagenum paged p pageoffset pagecursor pageafter pagebefore pagetoken nextpagetoken nexttoken ' +
      'pageinfo paginationpage paginationstart offset skip start from after before startingafter endingbefore startat ' +
      'sinceid maxid last searchafter scroll continuationtoken skiptoken',
    uses: ['limit=20'],
    note: 'and follow rel="next" of the Link header from page to page',
  },
  {
    words: 'order orderby sortby sortorder sortkey sortfield ordering direction dir sorting reverse desc asc',
    uses: [PARAMETER_USES.sort],
  },
  {
    words:
      'include includes embed populate with relations relationships associations joins expand expands expansions extend',
    uses: [PARAMETER_USES.expand],
  },
  {
    words: 'select only props properties attributes columns fl source projection pick return returns fieldsproduct',
    uses: [PARAMETER_USES.fields],
  },
  {
    words: 'q query search searchterm searchquery s keyword keywords text title productname match fulltext',
    uses: ['filter[name]=has{<words>}'],
  },
  {
    words: 'product phone handset device handle permalink item productslug',
    uses: ['filter[slug]=eq{<product slug>}'],
  },
  {
    words: 'model models modelname modelslug',
    uses: ['filter[slug]=eq{<product slug>}'],
    note: 'since nothing filters by a model',
  },
  { words: 'productid productids sku uid idin', uses: ['filter[id]=eq{<product id>}'] },
  {
    words:
      'price prices cost monthly monthlyprice permonth pricepermonth contractprice monthlyfee budget tariff rent ' +
      'monthlycontractprice suppliercontractprice',
    uses: ['filter[monthlyCost]=lte{<amount>}'],
  },
  {
    words:
      'upfront upfrontprice deposit handsetcost handsetprice phoneprice oneoff initialcost upfrontproductcost ' +
      'productupfrontcost',
    uses: ['filter[upfrontCost]=lte{<amount>}'],
  },
  {
    words: 'total totalprice tco overallcost lifetimecost totalcontractcost totaldealcost',
    uses: ['filter[totalCost]=lte{<amount>}'],
  },
  {
    words: 'brand brands make makes maker vendor vendors producer productvendor manufacturerid manufacturername',
    uses: ['filter[manufacturers]=eq{<slug of /deals/v1/manufacturers/>}'],
  },
  {
    words:
      'carrier carriers operator operators provider providers mno networkid networkname contractsupplier ' +
      'contractsupplierid contractsuppliername',
    uses: ['filter[networks]=eq{<slug of /deals/v1/networks/>}'],
  },
  {
    words:
      'shop shops store stores merchant merchants seller sellers supplier suppliers partner retailerid retailername ' +
      'supplierid suppliername retailsupplier retailsupplierid retailsuppliername',
    uses: ['filter[retailers]=eq{<slug of /deals/v1/retailers/>}'],
  },
  {
    words: 'contract months duration length tenure contractmonths contractterm minimumterm term terms period',
    uses: ['filter[contractLength]=eq{<months>}'],
  },
  {
    words: 'data gb gigabytes allowance datagb dataamount monthlydata monthlydataallowance internet unlimited',
    uses: ['filter[dataAllowance]=gte{<gigabytes>}'],
  },
  {
    words: 'minutes calls callallowance monthlycallallowance texts sms textallowance monthlytextallowance',
    uses: ['expand=products(deals)'],
    note: 'since minutes and texts are shown and nothing filters by them',
  },
  {
    words: 'state used refurb refurbished refurbishedonly new newonly quality grade status',
    uses: ['filter[condition]=eq{<new|refurbished>}'],
  },
  {
    words: 'gift gifts freegift giftname cashback promotion promotions promo incentive extras',
    uses: ['filter[offers]=eq{<cashback|gift>}'],
  },
  {
    words: 'group grouped groupby grouping distinct unique collapse dedupe variants',
    uses: ['expand=products(grouped)'],
  },
  {
    words: 'deals deal cheapest cheapestdeal bestdeal lowestprice',
    uses: ['expand=products(cheapestDeal)', 'expand=products(deals)'],
  },
  { words: 'history pricehistory pricetrend', uses: ['expand=products(priceHistory)'] },
  {
    words: 'images image pictures picture photos photo thumbnail thumbnails media',
    uses: ['fields=products(front,large,webp)', 'expand=products(images)'],
  },
  {
    words: 'specs spec specifications details storage memory ram colour color os battery camera screen 5g 4g chipset',
    uses: ['expand=products(specs)'],
    note: 'since specifications are shown and nothing filters by them',
  },
  {
    words: 'filter filters where conditions criteria',
    uses: ['filter[monthlyCost]=lte{<amount>}'],
    note: 'one parameter for each filter',
  },
  {
    words: 'category categories categoryid categoryslug giftcategory giftcategories',
    uses: [''],
    note: '/deals/v1/gifts/categories/?expand=gifts has the gifts of each category',
  },
  { words: 'exclude omit except without hide', uses: [''], note: 'fields lists what to have' },
  { words: 'format alt output type pretty envelope callback jsonp', uses: [''], note: 'every answer is JSON' },
  { words: 'utmsource utmmedium utmcampaign gclid fbclid ref', uses: [''], note: 'nothing here counts visits' },
  { words: 'lang language locale currency country region', uses: [''], note: 'there is one language and one currency' },
  {
    words: '_ cachebuster nocache cb timestamp ts v t',
    uses: [''],
    note: 'an ETag tells whether an answer has changed',
  },
  { words: 'inlinecount includetotal withcount totalcount', uses: [''], note: 'X-Total-Count has the total' },
  {
    words: 'apikey key token accesstoken xapikey auth authorization',
    uses: [''],
    note: 'a key goes into the header x-api-key alone',
  },
];

/** In place of a word of `expand` or `fields`. */
export const FOREIGN_VALUES: readonly ForeignWord[] = [
  {
    words: '* all everything full any',
    uses: [
      'expand=products(content,page-content,meta-data,specs,images,deals)',
      'expand=giftcategories(content,page-content,meta-data,images,gifts)',
      'fields=gifts(heading,introduction,front,large,webp)',
    ],
  },
  {
    words:
      'images image img picture pictures photo photos thumbnail thumbnails thumb media ' +
      'front back left right large medium small webp png jpg jpeg',
    uses: ['fields=products(front,large,webp)', 'expand=products(images)'],
    note: 'since fields names pictures by a view, a size and a format',
  },
  {
    words:
      'price prices cost costs deal offer offers gift gifts tariff tariffs plan plans contract contracts cheapest bestdeal ' +
      'lowestprice monthlycost upfrontcost totalcost network networks retailer retailers',
    uses: ['expand=products(cheapestDeal)', 'expand=products(deals)'],
  },
  { words: 'history pricehistory pricetrend', uses: ['expand=products(priceHistory)'] },
  { words: 'brand make maker vendor', uses: ['fields=products(manufacturer)'] },
  { words: 'state grade', uses: ['fields=products(condition)'] },
  { words: 'title headline', uses: ['fields=products(heading)'] },
  {
    words: 'description text body summary copy intro excerpt content',
    uses: ['fields=products(heading,introduction)'],
  },
  { words: 'specifications attributes features details technical properties', uses: ['expand=products(specs)'] },
  { words: 'seo meta metadata metatags', uses: ['expand=products(meta-data)'] },
  { words: 'group variants models groupby distinct', uses: ['expand=products(grouped)'] },
  { words: 'battery', uses: ['fields=products(battery-capacity)'] },
  { words: 'camera', uses: ['fields=products(camera-front,camera-back)'] },
  { words: 'screen display resolution', uses: ['fields=products(screen-size,screen-resolution)'] },
];

/** In place of an operator of a filter, in a name (`price_lte`, `max_price`) or before a value (`<30`). */
export const FOREIGN_OPERATORS: Readonly<Record<QuantityOperator, string>> = {
  eq: '= == === equal equals is in any oneof exact like ilike contains has match includes',
  ne: '! != !== <> neq not notin nin noteq notequal notequals isnot without exclude except',
  lt: '< less lessthan under below',
  lte: '<= =< le max maximum to until upto atmost lteq',
  gt: '> greater greaterthan more morethan over above',
  gte: '>= => ge min minimum from since atleast gteq',
};

/** Operators for an interval, which needs two operators here. */
export const FOREIGN_INTERVALS = 'between range btw bt';

/** In place of a key of `sort`. */
export const FOREIGN_SORT_KEYS: Readonly<Record<ProductSortKey | DealSortKey, string>> = {
  name: 'title alphabetical alphabet product productname brand manufacturer model slug',
  'total-cost': 'price prices cost cheapest best total totalprice lowestprice tco value',
  'contract-price': 'monthly monthlycost monthlyprice permonth pricepermonth contract monthlycontractprice',
  'upfront-cost': 'upfront upfrontprice deposit handsetprice upfrontproductcost',
  'data-allowance': 'data gb gigabytes allowance monthlydata',
};

/** In place of a word that a filter takes. */
export const FOREIGN_FILTER_VALUES: Readonly<Record<Condition | Offer | 'unlimited', string>> = {
  new: 'brandnew newonly sealed unused',
  refurbished: 'used refurb refurbishedonly renewed reconditioned preowned secondhand preloved',
  cashback: 'cash refund rebate',
  gift: 'gifts freegift freebie free',
  unlimited: 'infinite infinity nolimit unltd max',
};

/** Factors to the unit of a filter: pounds, months, gigabytes. */
export const FOREIGN_UNITS: Readonly<Partial<Record<FilterKind, Readonly<Record<string, number>>>>> = {
  money: { '': 1, gbp: 1, pounds: 1, eur: 1, euros: 1, usd: 1, pm: 1, p: 0.01, pence: 0.01 },
  months: { '': 1, m: 1, mo: 1, month: 1, months: 1, mth: 1, mths: 1, y: 12, yr: 12, year: 12, years: 12 },
  gigabytes: { '': 1, g: 1, gb: 1, gig: 1, gigabytes: 1, mb: 0.001, megabytes: 0.001, tb: 1000 },
};

/** In place of a path, by one of its parts. */
export const FOREIGN_PATHS: readonly { readonly words: string; readonly use: string }[] = [
  {
    words: 'phones phone handsets handset devices mobiles items catalogue catalog search',
    use: '/deals/v1/products/',
  },
  { words: 'deals deal offers offer tariffs plans contracts', use: '/deals/v1/products/?expand=products(deals)' },
  { words: 'cheapest cheapestdeals', use: '/deals/v1/products/?expand=products(cheapestDeal)' },
  { words: 'brands brand makes vendors', use: '/deals/v1/manufacturers/' },
  { words: 'carriers operators providers contractsuppliers', use: '/deals/v1/networks/' },
  { words: 'shops stores merchants sellers suppliers', use: '/deals/v1/retailers/' },
  { words: 'categories category giftcategories giftcategory', use: '/deals/v1/gifts/categories/' },
  {
    words: 'openapi openapijson openapiyaml openapiyml swagger swaggerjson apidocs apidoc schema',
    use: '/openapi.json',
  },
  { words: 'doc documentation reference redoc swaggerui help', use: '/docs/' },
  { words: 'error errors problem', use: '/problems/' },
  { words: 'ping healthz livez alive up heartbeat', use: '/health/live' },
  { words: 'health readyz ready', use: '/health/ready' },
];

/** The words of a text in lower case: `maxPrice` is `max`, `price`. */
export function splitWords(text: string): readonly string[] {
  return text
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** One spelling for all: `per_page` and `perPage` are `perpage`. A text without letters stays as it is. */
export function joinWords(text: string): string {
  return splitWords(text).join('') || text;
}

/** The key of a table whose words hold this one. */
export function findForeign<Key extends string>(table: Readonly<Record<Key, string>>, word: string): Key | undefined {
  return (Object.keys(table) as Key[]).find((key) => key === word || hasWord(table[key], word));
}

export function hasWord(words: string, word: string): boolean {
  return words.split(' ').includes(word);
}
