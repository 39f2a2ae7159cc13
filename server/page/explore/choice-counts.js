import { element } from '../lib/element.js';
import { ask } from '../lib/request.js';
import { targetOfCount } from './target.js';
import { FILTERS } from './view.js';

/** @typedef {import('./view.js').View} View */

/** How many counts are asked for at once: pictures and the next phones need the connections too. */
const AT_ONCE = 2;

/** How many requests of a key with a rate limit are left to the reader. */
const RESERVED = 60;

/** How many counts are remembered. */
const MOST_KNOWN = 2_000;

/**
 * How many phones each choice of the filters leaves. A count is the `X-Total-Count` of a HEAD request, one for each choice
 * that the reader sees: none for a folded form, some twenty for a screen. What was counted before is not asked again until
 * there is another snapshot.
 * @param {HTMLElement} form
 * @returns {{ readonly watch: () => void, readonly show: (view: View | undefined, headers?: Headers) => void }} `watch`
 *   takes in new choices; `show` counts for a view, undefined for one without phones
 */
export function createChoiceCounts(form) {
  /** @type {Map<string, number>} */
  const known = new Map();
  /** @type {Set<HTMLElement>} */
  const inSight = new Set();
  /** @type {Set<string>} */
  const asked = new Set();
  let controller = new AbortController();
  let running = 0;
  let isStopped = false;
  /** @type {View | undefined} */
  let shown;
  let snapshot = '';

  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!(target instanceof HTMLElement)) continue;
      if (isIntersecting) inSight.add(target);
      else inSight.delete(target);
    }
    fill();
  });

  const targetOfChoice = (/** @type {HTMLElement} */ label) => {
    const input = label.querySelector('input');
    const key = FILTERS.find((filter) => filter.key === input?.name)?.key;
    return shown === undefined || key === undefined ? undefined : targetOfCount(shown, key, input?.value ?? '');
  };

  const write = (/** @type {HTMLElement} */ label) => {
    const count = known.get(targetOfChoice(label) ?? '');
    const place = label.querySelector('.count');
    const unit = count === 1 ? ' phone' : ' phones';
    const text = count?.toLocaleString('en-GB') ?? '';
    if (place?.firstChild?.textContent === text) return;
    place?.replaceChildren(...(text === '' ? [] : [text, element('span', { class: 'visually-hidden' }, unit)]));
    label.classList.toggle('none-left', count === 0);
  };

  const findNext = () => {
    if (isStopped) return undefined;
    const targets = [...inSight].map(targetOfChoice);
    return targets.find((target) => target !== undefined && !known.has(target) && !asked.has(target));
  };

  /** @param {Headers} headers */
  const noteSnapshot = (headers) => {
    const current = headers.get('x-snapshot') ?? '';
    if (current !== snapshot || known.size > MOST_KNOWN) known.clear();
    snapshot = current;
  };

  const run = async () => {
    const { signal } = controller;
    for (let target = findNext(); target !== undefined; target = findNext()) {
      asked.add(target);
      const answer = await ask(target, { method: 'HEAD', signal }).catch(() => undefined);
      // A count is a comfort: a server that refuses one is not asked for the next.
      if (signal.aborted) return;
      isStopped = answer?.status !== 200 || isScarce(answer.headers);
      if (answer?.status === 503) {
        const seconds = Number(answer.headers.get('retry-after') ?? 10);
        setTimeout(() => resume(signal), seconds * 1_000);
      }
      if (answer?.status !== 200) return;
      noteSnapshot(answer.headers);
      known.set(target, Number(answer.headers.get('x-total-count')));
      for (const label of inSight) if (targetOfChoice(label) === target) write(label);
    }
  };

  /** @param {AbortSignal} signal of the view that is counted */
  const resume = (signal) => {
    if (signal.aborted) return;
    isStopped = false;
    asked.clear();
    fill();
  };

  const fill = () => {
    for (const label of inSight) write(label);
    while (running < AT_ONCE && findNext() !== undefined) {
      running += 1;
      const { signal } = controller;
      void run().finally(() => {
        if (!signal.aborted) running -= 1;
      });
    }
  };

  return {
    watch: () => {
      for (const label of form.querySelectorAll('.choices label')) {
        if (label.querySelector('.count') !== null) continue;
        const input = label.querySelector('input');
        const id = `count-${input?.name}-${input?.value}`;
        // It describes the choice; the name of the choice stays what it is.
        input?.setAttribute('aria-describedby', id);
        label.append(element('span', { class: 'count muted small', id, 'aria-hidden': 'true' }));
        observer.observe(label);
      }
    },
    show: (view, headers) => {
      controller.abort();
      controller = new AbortController();
      running = 0;
      asked.clear();
      shown = view;
      if (headers !== undefined) noteSnapshot(headers);
      for (const label of form.querySelectorAll('.choices label')) {
        if (label instanceof HTMLElement) write(label);
      }
      isStopped = headers !== undefined && isScarce(headers);
      fill();
    },
  };
}

/**
 * Whether the key has few requests left.
 * @param {Headers} headers
 */
function isScarce(headers) {
  const left = /;\s*r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1];
  return left !== undefined && Number(left) < RESERVED;
}
