import type { Entry, PropertiesFile } from '../project/properties-file.ts'
import { asMap } from '../project/model-config.ts'
import type { Subject } from '../vocabulary.ts'
import type { Suppression } from './suppression.ts'

const KINDS = { models: 'model', seeds: 'seed', snapshots: 'snapshot', sources: 'source' } as const

/** Suppressions in `config.meta.stagecraft.ignore` or `meta.stagecraft.ignore` of models, seeds, snapshots and sources. */
export function suppressionsInProperties({ entries, file }: PropertiesFile): readonly Suppression[] {
  if (!file.text.includes('stagecraft')) return []
  return (['models', 'seeds', 'snapshots', 'sources'] as const).flatMap((list) =>
    entries(list).flatMap((entry) => [
      ...ofEntry(entry, { kind: KINDS[list], name: entry.name }),
      ...(list === 'sources'
        ? entry
            .entries('tables')
            .flatMap((table) => ofEntry(table, { kind: 'source', name: `${entry.name}.${table.name}` }))
        : []),
    ]),
  )
}

function ofEntry(entry: Entry, subject: Subject): readonly Suppression[] {
  const config = asMap(asMap(entry.get('config'))['meta'])
  const metas = [config, asMap(entry.get('meta'))]
  const key = entry.pair('config')?.key ?? entry.pair('meta')?.key ?? entry.place
  return metas.flatMap((meta) => {
    const ignored = asMap(meta['stagecraft'])['ignore'] ?? []
    const items: readonly unknown[] = Array.isArray(ignored) ? ignored : [ignored]
    return items.map((item): Suppression => {
      const { reason, rule } = typeof item === 'string' ? { reason: undefined, rule: item } : asMap(item)
      const rules = typeof rule === 'string' ? [rule.trim().toUpperCase()] : []
      const given = typeof reason === 'string' && reason.trim() !== '' ? reason.trim() : undefined
      return {
        rules,
        reason: given,
        place: key,
        kind: 'properties',
        covers: (finding) => rules.includes(finding.rule) && isAbout(finding.subject, subject),
      }
    })
  })
}

/** Suppressions of a source apply to its tables. */
function isAbout(found: Subject, said: Subject): boolean {
  if (found.kind !== said.kind) return false
  return found.name === said.name || (said.kind === 'source' && found.name.startsWith(`${said.name}.`))
}
