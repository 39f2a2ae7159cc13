import { describe, expect, it } from 'vitest';
import { fillSeoTemplate } from '../../../../build/cms/wordpress.ts';

const FACTS = { title: 'Pixel 9', excerpt: 'A phone.', siteName: 'Phones' };

describe('a template of an SEO plugin', () => {
  it.each([
    ['Pixel 9 deals', 'Pixel 9 deals'],
    ['%%title%% %%sep%% %%sitename%%', 'Pixel 9 - Phones'],
    ['%%title%% %%page%% %%sep%% %%sitename%%', 'Pixel 9 - Phones'],
    ['%title% %sep% %sitename%', 'Pixel 9 - Phones'],
    ['%%post_title%%: %%excerpt%%', 'Pixel 9: A phone.'],
    ['100% new, 50% off', '100% new, 50% off'],
    ['%%title%% in %%primary_category%%', undefined],
    ['%title% %customfield%', undefined],
  ])('%s', (text, filled) => {
    expect(fillSeoTemplate(text, FACTS)).toBe(filled);
  });
});
