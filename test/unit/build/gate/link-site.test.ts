import { describe, expect, it } from 'vitest';
import { linkSiteOf } from '../../../../build/gate/link-site.ts';

describe('the site of a link', () => {
  it.each([
    ['https://Shop.example/deal/1?a=2', 'shop.example'],
    ['https://www.awin1.com/pclick.php?p=9&a=77&m=5', 'www.awin1.com 77'],
    ['https://www.awin1.com/cread.php?awinmid=5&awinaffid=77&ued=x', 'www.awin1.com 77'],
    ['https://www.anrdoezrs.net/click-4711-12', 'www.anrdoezrs.net 4711'],
    ['https://track.webgains.com/click.html?wgcampaignid=77&wgprogramid=5', 'track.webgains.com 77'],
    ['https://click.linksynergy.com/deeplink?id=Xy7&mid=5', 'click.linksynergy.com Xy7'],
    ['https://clk.tradedoubler.com/click?p=5&a=77&url=x', 'clk.tradedoubler.com 77'],
    ['https://clk.tradedoubler.com/click?p(5)a(77)', 'clk.tradedoubler.com 77'],
    ['https://shop.pxf.io/c/77/1/2?u=x', 'shop.pxf.io 77'],
    ['https://prf.hn/click/camref:1abc/destination:x', 'prf.hn 1abc'],
    ['https://shop.example/deal?id=1&partner=77', 'shop.example 77'],
    ['https://shop.example/deal?id=1&utm_campaign=november', 'shop.example'],
    ['', ''],
  ])('%s: %s', (link, site) => {
    expect(linkSiteOf(link)).toBe(site);
  });
});
