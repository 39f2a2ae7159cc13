import { createRandom } from '../../support/random.ts';
import { openInProcess, type InProcess } from '../answer-in-process.ts';
import { readCaseOptions, type StoreName } from '../bench-data.ts';
import { reportLines } from '../case-result.ts';
import { adversarialQuestions, answerByBruteForce, typicalQuestion, type ListQuestion } from '../list-question.ts';
import { summarise, timeOf, type Summary } from '../summarise.ts';

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
  {
    ...timeLine(
      'list over 1M deals: filter[networks], filter[upfrontCost], cheapestDeal, cheapest first',
      million.typical,
      2,
    ),
    note: million.typicalTarget,
  },
  {
    ...timeLine('the same, the worst combination of filters', million.worst, 15),
    note: `of ${QUESTION_COUNT} combinations: ${million.worstTarget}`,
  },
  {
    ...timeLine('the same, any combination asked for the first time', million.first, 15),
    note: `the longest is ${million.firstTarget}`,
  },
  growthLine('list over 5M deals, typical, against 1M', typicalGrowth, dealGrowth, fiveMillion.typical),
  growthLine('list over 5M deals, worst combination, against 1M', worstGrowth, dealGrowth, fiveMillion.worst),
]);

interface StoreFigures {
  readonly dealCount: number;
  readonly typical: Summary;
  readonly typicalTarget: string;
  readonly worst: Summary;
  readonly worstTarget: string;
  /** Asked once each, the machine warm and the question new; the median is that of the slowest one. */
  readonly first: Summary;
  readonly firstTarget: string;
}

async function measureStore(name: StoreName & keyof typeof CHECKED): Promise<StoreFigures> {
  const store = await openInProcess(data.store(name));
  const { index } = store.snapshot;
  const typical = typicalQuestion(index);
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
    first: { ...first, median: first.highest },
    firstTarget: questions[slowestFirst]?.target ?? '',
  };
}

function repeat(store: InProcess, { target }: ListQuestion, count: number): readonly number[] {
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

function timeLine(what: string, { median, lowest, highest }: Summary, limitMs: number) {
  return { what, target: `< ${limitMs}`, reached: median, lowest, highest, unit: 'ms', isMet: median < limitMs };
}

function growthLine(what: string, growth: number, limit: number, { median, lowest, highest }: Summary) {
  return {
    what,
    target: `<= ${limit.toFixed(1)}`,
    reached: growth,
    lowest: growth,
    highest: growth,
    unit: 'x',
    isMet: growth <= limit,
    note: `${median.toFixed(2)} ms (${lowest.toFixed(2)} to ${highest.toFixed(2)})`,
  };
}
