/** The settings of every server that is held against the oracle: what pictures begin with, and the limits of a page. */
export const DEFAULT_SETTINGS = { publicUrl: 'https://deals.test', defaultLimit: 20, maxLimit: 100 };
