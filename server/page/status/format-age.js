import { element } from '../lib/element.js';

const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/**
 * `40 s`, `12 min`, `5 h 30 min`, `3 days`.
 * @param {number} seconds
 * @returns {string}
 */
export function formatAge(seconds) {
  if (seconds < 60) return `${Math.max(0, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} days`;
}

/**
 * `20 Nov 2026, 02:30 UTC`.
 * @param {string} time
 * @returns {string}
 */
export function formatMoment(time) {
  return `${MOMENT.format(new Date(time))} UTC`;
}

/**
 * How long ago a time was, by the clock of the server, and the time itself.
 * @param {string} time
 * @param {string} now
 * @returns {HTMLElement}
 */
export function createAge(time, now) {
  const seconds = (Date.parse(now) - Date.parse(time)) / 1_000;
  return element(
    'time',
    { datetime: time },
    `${formatAge(seconds)} ago`,
    element('span', { class: 'moment' }, formatMoment(time)),
  );
}
