import type { LintProject } from '../project/lint-project.ts'
import { asMap } from '../project/model-config.ts'
import type { Rule } from '../rule.ts'
import { checkRawTables, type DeclaredTable } from './raw-columns.ts'
import { placeAt } from './subjects.ts'

/** Off by default: it depends on how tables were created, which only the raw table shows. */
export const unquotedName = {
  id: 'SC116',
  name: 'unquoted-name',
  group: 'sources',
  severity: 'error',
  isDefault: false,
  needs: ['files', 'raw-tables'],
  summary: 'a raw table has a name that needs quotes, but the source does not quote it',
  docs: {
    why: 'The warehouse looks the name up in another case, or rejects it: every model that reads the table fails.',
    example: {
      language: 'yaml',
      code: 'sources:\n  - name: shop\n    tables:\n      - name: Order Items # Snowflake, without quoting',
    },
    remedy: 'Set `quoting: { identifier: true }` for the table or its source.',
  },
  check: (project) =>
    checkRawTables(project, (declared, raw) => {
      const stored = raw.name ?? ''
      if (stored === '' || isQuoted(project, declared) || !needsQuotes(project, stored)) return []
      return [
        {
          message: `the name ${stored} needs quotes, but ${declared.name} is not quoted`,
          place: placeAt(project, declared.table.path, declared.table.line),
          subject: declared.subject(),
        },
      ]
    }),
} satisfies Rule

function needsQuotes({ dialect: { identifiers, words } }: LintProject, name: string): boolean {
  if (!identifiers.plain.test(name) || words.reserved.has(name.toLowerCase())) return true
  if (identifiers.folds === 'upper') return name !== name.toUpperCase()
  return identifiers.folds === 'lower' && name !== name.toLowerCase()
}

/** The table decides, then its source, the project, and the adapter. */
function isQuoted({ dialect, index, properties }: LintProject, { entry, source }: DeclaredTable): boolean {
  const parent = properties
    .flatMap(({ entries }) => entries('sources'))
    .find(({ name }) => name === source.name)
  const [own, above] = [entry, parent].map((one) => asMap(one?.get('quoting'))['identifier'])
  const said = own ?? above ?? index.settings.quoting.identifier
  return typeof said === 'boolean' ? said : dialect.dbt.quotes.identifier
}
