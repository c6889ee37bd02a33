import { scripted } from '@stagecraft/llm'
import type { Backend, BackendRequest } from '@stagecraft/spec'

type Row = readonly [ordinal: number, name: string, type: string]

const DESCRIPTION = `It's a column: "quoted", 100% — & more #1, [yes], *no*, - maybe; no: 12:30`

/**
 * A model that has something to say about every column: a name, an awkward description, an expression. When it is
 * told which of them are wrong, it takes the expressions of those back.
 */
export function busyModel(): Backend {
  return scripted((request) => {
    const refused = refusedOrdinals(request)
    const columns = rowsOf(request).map((row) => editOf(row, refused))
    return JSON.stringify({ description: `A row. ${DESCRIPTION}`, columns })
  })
}

function rowsOf({ turns }: BackendRequest): readonly Row[] {
  const [first] = turns
  const json = first?.role === 'user' ? first.text.replace(/^<table>\n|\n<\/table>$/g, '') : '{}'
  return (JSON.parse(json) as { columns: readonly Row[] }).columns
}

function refusedOrdinals({ turns }: BackendRequest): ReadonlySet<number> {
  const last = turns.at(-1)
  const text = turns.length > 1 && last?.role === 'user' ? last.text : ''
  return new Set([...text.matchAll(/\(column (\d+)\)/g)].map(([, ordinal]) => Number(ordinal)))
}

function editOf([ordinal, name, type]: Row, refused: ReadonlySet<number>): object {
  const isText = /varchar|text/i.test(type)
  return {
    ordinal,
    name: `column_number_${ordinal}`,
    description: DESCRIPTION,
    operation: null,
    tests: [],
    expression: isText && !refused.has(ordinal) ? `trim(${name})` : null,
  }
}
