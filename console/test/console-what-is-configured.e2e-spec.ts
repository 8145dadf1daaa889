import { testPages } from './of-pages';

testPages('what is configured');
