/** The printer of templates. The build puts its browser edition in this file's place, which needs nothing of Node (`release/vendor.ts`). */
export { default as nunjucks } from 'nunjucks'
