import { createRandom } from '../../support/random.ts';
import { openInProcess, type InProcess } from '../in-process.ts';
import { readCaseOptions, type StoreName } from '../bench-data.ts';
import { adversarialQuestions, answerByBruteForce, typicalQuestion, type ListQuestion } from '../list-question.ts';
import { line, reportLines, summarise, timeOf, type Summary } from '../report-lines.ts';

const PAGE_LIMIT = 20;
const SEED = 4;

const { data, scale } = readCaseOptions();
const isFull = scale === 'full';
const QUESTION_COUNT = isFull ? 160 : 24;
/** Looking at every deal for every question would take minutes, so with five million deals only some are checked. */
const CHECKED = { '1m': QUESTION_COUNT, '5m': isFull ? 30 : QUESTION_COUNT };
const ROUND_COUNT = isFull ? 60 : 3;
/** How many of the slowest at first sight are measured thoroughly. */
const SUSPECT_COUNT = 12;

const million = await measureStore('1m');
const fiveMillion = await measureStore('5m');

const typicalGrowth = fiveMillion.typical.median / million.typical.median;
const worstGrowth = fiveMillion.worst.median / million.worst.median;
const dealGrowth = fiveMillion.dealCount / million.dealCount;
reportLines([
  line(
    'list over 1M deals: filter[networks], filter[upfrontCost], cheapestDeal, cheapest first',
    '< 2',
    'ms',
    million.typical,
    million.typicalTarget,
  ),
  line(
    'the same, the worst combination of filters',
    '< 15',
    'ms',
    million.worst,
    `of ${QUESTION_COUNT} combinations: ${million.worstTarget}`,
  ),
  line(
    'the same, any combination asked for the first time',
    '< 15',
    'ms',
    million.first,
    `the longest is ${million.firstTarget}`,
  ),
  line('search by name in the products of 1M deals', '< 1', 'ms', million.search, million.searchTarget),
  growthLine('list over 5M deals, typical, against 1M', typicalGrowth, dealGrowth, fiveMillion.typical),
  growthLine('list over 5M deals, worst combination, against 1M', worstGrowth, dealGrowth, fiveMillion.worst),
]);

interface StoreFigures {
  readonly dealCount: number;
  readonly typical: Summary;
  readonly typicalTarget: string;
  readonly worst: Summary;
  readonly worstTarget: string;
  readonly search: Summary;
  readonly searchTarget: string;
  /** Asked once each, the machine warm and the question new; the median is that of the slowest one. */
  readonly first: Summary;
  readonly firstTarget: string;
}

async function measureStore(name: StoreName & keyof typeof CHECKED): Promise<StoreFigures> {
  const store = await openInProcess(data.store(name));
  const { index } = store.snapshot;
  const typical = typicalQuestion(index);
  const search = { target: searchTarget(index.products.map(({ name }) => name)) };
  const questions = adversarialQuestions(index, createRandom(SEED), QUESTION_COUNT);
  const warming = typicalQuestion(index, 'tideline');
  for (let i = 0; i < 50; i++) store.drain(warming.target);
  const firstTimes = questions.map(({ target }) => timeOf(() => store.drain(target)));
  for (const question of [typical, ...questions.slice(0, CHECKED[name])]) checkAnswer(store, question);

  const roughly = questions.map((question) => ({
    question,
    time: summarise(repeat(store, question, 3)).median,
  }));
  const suspects = roughly.toSorted((a, b) => b.time - a.time).slice(0, SUSPECT_COUNT);
  const measured = suspects.map(({ question }) => ({
    target: question.target,
    times: summarise(repeat(store, question, isFull ? 25 : 2)),
  }));
  const worst = measured.reduce((most, each) => (each.times.median > most.times.median ? each : most));
  const slowestFirst = firstTimes.indexOf(Math.max(...firstTimes));
  const first = summarise(firstTimes);
  return {
    dealCount: index.deals.rowCount,
    typical: summarise(repeat(store, typical, ROUND_COUNT)),
    typicalTarget: typical.target,
    worst: worst.times,
    worstTarget: worst.target,
    search: summarise(repeat(store, search, ROUND_COUNT)),
    searchTarget: search.target,
    first: { ...first, median: first.highest },
    firstTarget: questions[slowestFirst]?.target ?? '',
  };
}

/** A search for two words of a name in the middle of the list. */
function searchTarget(names: readonly string[]): string {
  const words = names[Math.floor(names.length / 2)]?.split(' ').slice(0, 2) ?? [];
  return `/deals/v1/products/?filter[name]=has{${words.join('+')}}`;
}

function repeat(store: InProcess, { target }: Pick<ListQuestion, 'target'>, count: number): readonly number[] {
  return Array.from({ length: count }, () => timeOf(() => store.drain(target)));
}

function checkAnswer(store: InProcess, question: ListQuestion): void {
  const { body, headers } = store.read(question.target);
  const { products } = JSON.parse(body) as { readonly products: readonly { readonly id: string }[] };
  const expected = answerByBruteForce(store.snapshot.index, question, PAGE_LIMIT);
  const got = { totalCount: Number(headers['X-Total-Count']), ids: products.map(({ id }) => id) };
  if (JSON.stringify(got) !== JSON.stringify(expected)) {
    throw new Error(`${question.target}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`);
  }
}

function growthLine(what: string, growth: number, limit: number, { median, lowest, highest }: Summary) {
  const note = `${median.toFixed(2)} ms (${lowest.toFixed(2)} to ${highest.toFixed(2)})`;
  return line(what, `<= ${limit.toFixed(1)}`, 'x', growth, note);
}
