import { testPages } from './of-pages';

testPages('what happens');
