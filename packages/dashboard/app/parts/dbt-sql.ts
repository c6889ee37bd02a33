import type { HLJSApi, Language } from 'highlight.js'

const KEYWORDS =
  'all and anti any array as asc between by case cast coalesce create cross current_date current_timestamp date desc distinct else end except exists extract false filter first following from full group having if ilike in inner intersect interval is join last lateral left like limit not null nullif nulls offset on or order outer over partition preceding qualify range regexp replace right rlike row row_number rows select semi struct table then timestamp trim true try_cast unbounded union unnest using values when where window with within'

/** SQL with Jinja, as dbt has it; the grammar of the library for SQL knows no Jinja. */
export function dbtSql(hljs: HLJSApi): Language {
  const string = { scope: 'string', variants: [{ begin: /'/, end: /'/, contains: [{ begin: /''/ }] }] }
  return {
    name: 'SQL of dbt',
    case_insensitive: true,
    keywords: { $pattern: /\b[\w.]+/, keyword: KEYWORDS },
    contains: [
      { scope: 'comment', begin: /\{#/, end: /#\}/ },
      { scope: 'attr', begin: /\{[{%]/, end: /[%}]\}/, contains: [string] },
      hljs.COMMENT('--', '$'),
      hljs.C_BLOCK_COMMENT_MODE,
      string,
      { begin: /"/, end: /"/ },
      { begin: /`/, end: /`/ },
      hljs.C_NUMBER_MODE,
    ],
  }
}
