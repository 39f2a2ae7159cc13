export { runDeals as callDeals } from '../../harness.ts';
