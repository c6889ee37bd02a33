// The fonts of the reader's system: nothing is loaded for them.
export { default } from 'vitepress/theme-without-fonts'
