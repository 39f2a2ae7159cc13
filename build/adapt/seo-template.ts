/** `%%title%%` of Yoast and SEOPress, `%title%` of Rank Math. */
const VARIABLE = /%%([a-z_]{1,40})%%|%([a-z_]{1,40})%/g;

/** What a page of a site is called, as the templates of the SEO plugins name it. */
export interface SeoFacts {
  readonly title: string;
  readonly excerpt: string;
  readonly siteName: string;
}

/**
 * A title or a description with its variables filled, as the plugin would show it; undefined when it has one that only the
 * plugin knows: a text with `%%primary_category%%` in it is worse than none.
 */
export function fillSeoTemplate(text: string, facts: SeoFacts): string | undefined {
  let isComplete = true;
  const filled = text.replaceAll(VARIABLE, (_whole, double: string | undefined, single: string | undefined) => {
    const value = valueOf(double ?? single ?? '', facts);
    isComplete &&= value !== undefined;
    return value ?? '';
  });
  return isComplete ? filled.replaceAll(/ {2,}/g, ' ').trim() : undefined;
}

function valueOf(variable: string, { title, excerpt, siteName }: SeoFacts): string | undefined {
  switch (variable) {
    case 'title':
    case 'post_title':
      return title;
    case 'excerpt':
    case 'excerpt_only':
    case 'post_excerpt':
      return excerpt;
    case 'sitename':
    case 'sitetitle':
      return siteName;
    case 'sep':
      return '-';
    case 'page':
      return '';
    default:
      return undefined;
  }
}
