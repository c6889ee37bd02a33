import { relative } from 'node:path'
import { type MarkdownRenderer } from 'vitepress'
import { targetOf, TOP } from './pages.ts'

/** Text that Vue would take for an expression: the Jinja of a template stays as it is written. */
function keepBraces(md: MarkdownRenderer): void {
  for (const rule of ['text', 'code_inline']) {
    const render = md.renderer.rules[rule]
    if (render === undefined) throw new Error(`the renderer has no rule for ${rule}`)
    md.renderer.rules[rule] = (...parameters) => render(...parameters).replaceAll('{{', '&#123;&#123;')
  }
}

/** Links between the files of the repository, as GitHub follows them, lead to pages of the site or to the repository. */
function resolveLinks(md: MarkdownRenderer, repository: string | undefined): void {
  md.core.ruler.after('inline', 'repository_links', ({ env, tokens }) => {
    const { path = '', realPath = path } = env as { readonly path?: string; readonly realPath?: string }
    const source = relative(TOP, realPath)
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === 'link_open' ? token.attrGet('href') : null
      if (href === null || /^(?:[a-z]+:|#)/.test(href)) continue
      const target = targetOf(href, source, repository)
      if (target === undefined) token.attrs = (token.attrs ?? []).filter(([name]) => name !== 'href')
      else token.attrSet('href', target)
    }
  })
}

/** Makes the Markdown of the site that of GitHub. */
export function asOnGitHub(repository: string | undefined): (md: MarkdownRenderer) => void {
  return (md) => {
    keepBraces(md)
    resolveLinks(md, repository)
  }
}
