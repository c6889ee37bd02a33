import type { LintProject } from '../project/lint-project.ts'
import type { SqlStructure } from '../structure/sql-structure.ts'
import type { LineageNode } from './lineage.ts'
import { idOfModel, idOfRelation, idOfTable } from './model-lineage.ts'

/** Returns the known column names of a relation, and the reasons why there may be more. */
export function knownColumns(
  project: LintProject,
  relation: LineageNode,
  structure: SqlStructure,
): { readonly columns: readonly string[]; readonly gaps: readonly string[] } {
  if (relation.kind === 'source') {
    const tables = project.index.sources.flatMap(({ name, tables: own }) =>
      own.filter((table) => idOfTable(name, table.name) === relation.id),
    )
    const declared = tables.flatMap((table) => table.columns.map(({ name }) => name))
    return rawColumns(project, relation, { declared, structure })
  }
  const model = project.index.models.find((one) => idOfModel(one) === relation.id)
  const read = model && structure.of(model)
  if (!read) return { columns: [], gaps: ['it has no columns'] }
  return read.status === 'read'
    ? { columns: read.columns.map(({ name }) => name), gaps: read.gaps }
    : { columns: [], gaps: [read.reason] }
}

/** Returns the columns of a raw table: from the catalog or the lock, from YAML, and from models that read it. */
function rawColumns(
  { index, raw }: LintProject,
  { id }: LineageNode,
  { declared, structure }: { readonly declared: readonly string[]; readonly structure: SqlStructure },
): ReturnType<typeof knownColumns> {
  const tables = index.sources.flatMap(({ name, tables: own }) =>
    own.flatMap((table) => (idOfTable(name, table.name) === id ? (raw.tableOf(name, table.name) ?? []) : [])),
  )
  const readers = index.models.filter(({ reads }) =>
    reads.some(({ source, table }) => idOfTable(source, table) === id),
  )
  const read = readers.flatMap((model) => {
    const found = structure.of(model)
    const reads = found.status === 'read' ? found.reads : []
    return reads.flatMap(({ column, relation }) => (idOfRelation(relation) === id ? column : []))
  })
  const columns = [...tables.flatMap((table) => table.columns.map(({ name }) => name)), ...declared, ...read]
  return {
    columns: [...new Map(columns.map((name) => [foldName(name), name])).values()],
    gaps:
      tables.length > 0
        ? []
        : ['neither a catalog nor the lock file lists its columns, and YAML may be incomplete'],
  }
}

/** Compares names ignoring case, as most warehouses do. */
export function isSame(a: string, b: string): boolean {
  return foldName(a) === foldName(b)
}

/** Folds a name. The parser counts a pair of surrogates as one character. */
export function foldName(name: string): string {
  return name.toLowerCase().replaceAll(/[\uD800-\uDFFF]/g, '\uFFFD')
}
