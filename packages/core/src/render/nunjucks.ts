/**
 * The template engine. The build replaces this file by its browser edition, which does not need Node
 * (`release/vendor.ts`).
 */
export { default as nunjucks } from 'nunjucks'
