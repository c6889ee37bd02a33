/** A column as Spark prints it. */
export interface SparkColumn {
  readonly name: string
  /** As DDL spells it: `struct<city:string>`. */
  readonly type: string
  readonly nullable: boolean
}

interface Line {
  readonly depth: number
  readonly name: string
  readonly type: string
  readonly nullable: boolean
}

/**
 * SQL names of the types that Spark's classes call differently:
 * https://spark.apache.org/docs/latest/sql-ref-datatypes.html
 */
const DDL_NAMES: Readonly<Record<string, string>> = {
  byte: 'tinyint',
  short: 'smallint',
  integer: 'int',
  long: 'bigint',
}

/**
 * Reads the columns from the tree in the `information` of `show table extended`. Names with line breaks
 * cannot be distinguished from other lines, but do not occur in a Hive metastore.
 */
export function readSparkSchema(information: string): readonly SparkColumn[] {
  const [, tree = ''] = /^Schema: root$(.*)/ms.exec(information) ?? []
  return level(tree.split('\n').flatMap(toLine), 0).map(({ children, line }) => ({
    name: line.name,
    type: typeOf(line, children),
    nullable: line.nullable,
  }))
}

/** Reads a line such as ` | |-- city: string (nullable = true)`. */
function toLine(text: string): readonly Line[] {
  const [, bars = '', name = '', type = '', nullable] =
    /^ ((?:\| {4}| {5})*)\|-- (.*): (.+?)(?: \((?:nullable|containsNull|valueContainsNull) = (true|false)\))?$/.exec(
      text.trimEnd(),
    ) ?? []
  return name === '' ? [] : [{ depth: bars.length / 5, name, type, nullable: nullable !== 'false' }]
}

interface Node {
  readonly line: Line
  readonly children: readonly Line[]
}

/** Returns the lines of one depth, each with its descendants. */
function level(lines: readonly Line[], depth: number): readonly Node[] {
  const starts = lines.flatMap((line, at) => (line.depth === depth ? [at] : []))
  return starts.flatMap((start, at) => {
    const line = lines[start]
    return line ? [{ line, children: lines.slice(start + 1, starts[at + 1]) }] : []
  })
}

function typeOf({ depth, type }: Line, children: readonly Line[]): string {
  const inner = level(children, depth + 1).map((node) => ({
    name: node.line.name,
    type: typeOf(node.line, node.children),
  }))
  if (type === 'struct') return `struct<${inner.map((field) => `${field.name}:${field.type}`).join(',')}>`
  if (type === 'array' || type === 'map') return `${type}<${inner.map((part) => part.type).join(',')}>`
  return DDL_NAMES[type] ?? type
}
