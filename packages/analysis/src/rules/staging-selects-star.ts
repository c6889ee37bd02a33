import { layerOf } from '@stagecraft/dbt'
import { printIdentifier } from '@stagecraft/core/run'
import type { LintProject } from '../project/lint-project.ts'
import type { Place, SourceFile } from '../project/source-file.ts'
import type { Rule } from '../rule.ts'
import type { Fix, TextEdit } from '../vocabulary.ts'
import { checkStructures, type ReadModel } from './columns.ts'

/** Off by default: many projects pass on raw columns. */
export const stagingSelectsStar = {
  id: 'SC207',
  name: 'staging-selects-star',
  group: 'staging',
  severity: 'info',
  isDefault: false,
  needs: ['files', 'structure'],
  summary: 'a staging model selects the columns of its raw table with *',
  docs: {
    why: 'When a column of the raw table is added, dropped or renamed, every downstream model changes without a commit in the project. A * over a common table expression that lists its columns is allowed.',
    example: {
      language: 'sql',
      code: "-- stg_shop__orders.sql\nselect * from {{ source('shop', 'orders') }}",
    },
    remedy: 'List the columns.',
  },
  fix: { safety: 'unsafe', summary: 'lists the columns, if the raw table is known' },
  check: (project) =>
    checkStructures(project, (read) => {
      const [star] = read.structure.stars
      if (!star || layerOf(read.model) !== 'staging' || read.model.reads.length === 0) return []
      const fix = nameColumns(project, read, star)
      return [
        {
          message: `${read.model.name} selects columns with *`,
          place: star,
          subject: read.subject(),
          ...(fix && { fix }),
        },
      ]
    }),
} satisfies Rule

/** Replaces the star by its columns; undefined if they are unknown, or the star is not alone. */
function nameColumns(project: LintProject, { structure }: ReadModel, star: Place): Fix | undefined {
  const file = project.files.get(star.path)
  const isBare = file?.text.slice(star.start, star.end) === '*'
  const names = structure.columns.filter(
    ({ isFromStar, sources: [first, ...others] }) => isFromStar && first && others.length === 0,
  )
  const isWhole =
    structure.gaps.length === 0 && structure.stars.length === 1 && structure.relations.length === 1
  if (!file || !isBare || !isWhole || names.length !== structure.columns.length || names.length === 0)
    return undefined
  const written = names.map(({ name }) => printIdentifier(name, project.dialect))
  const edit = listEdit(file, star, written)
  return { safety: 'unsafe', summary: 'list the columns', edit: { kind: 'text', edits: [edit] } }
}

/** Prints one column per line: at the star if it has its own line, else below the `select`. */
function listEdit({ path, text }: SourceFile, { end, start }: Place, names: readonly string[]): TextEdit {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const before = text.slice(lineStart, start)
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n'
  if (before.trim() === '') return { path, start, end, text: names.join(`,${lineBreak}${before}`) }
  const indent = /^[ \t]*/.exec(before)?.[0] ?? ''
  const column = `${lineBreak}${indent}    `
  const [blanks = ''] = /[ \t]*$/.exec(before) ?? []
  const [rest = ''] = /^[ \t]+(?=\S)/.exec(text.slice(end)) ?? []
  return {
    path,
    start: start - blanks.length,
    end: end + rest.length,
    text: `${column}${names.join(`,${column}`)}${rest === '' ? '' : `${lineBreak}${indent}`}`,
  }
}
