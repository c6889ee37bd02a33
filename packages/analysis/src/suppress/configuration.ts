import { matchesGlob } from 'node:path'
import { isMap, isNode, isSeq, parseDocument } from 'yaml'
import type { Place, SourceFile } from '../project/source-file.ts'
import type { IgnoreSetting } from '@stagecraft/spec'
import type { Finding } from '../finding.ts'
import type { Suppression } from './suppression.ts'

/** Suppressions of `lint.ignore`, with the places of their rules in the file. */
export function suppressionsInConfiguration(
  settings: readonly IgnoreSetting[],
  file: SourceFile,
): readonly Suppression[] {
  const places = placesOf(file)
  return settings.map((setting, index) => {
    const rule = setting.rule.toUpperCase()
    const reason = setting.reason?.trim() ?? ''
    return {
      rules: [rule],
      reason: reason === '' ? undefined : reason,
      place: places[index] ?? { path: file.path, start: 0, end: 0 },
      kind: 'configuration',
      covers: (finding) => finding.rule === rule && matches(finding, setting),
    }
  })
}

function matches({ path, subject }: Finding, { model, path: pattern, source }: IgnoreSetting): boolean {
  if (pattern !== undefined && path !== pattern && !matchesGlob(path, pattern)) return false
  if (model !== undefined && (subject.kind === 'source' || subject.name !== model)) return false
  if (source === undefined) return true
  return subject.kind === 'source' && (subject.name === source || subject.name.startsWith(`${source}.`))
}

/** Finds the start of each item of `lint.ignore`. */
function placesOf({ path, text }: SourceFile): readonly Place[] {
  const items = parseDocument(text).getIn(['lint', 'ignore'], true)
  if (!isSeq(items)) return []
  return items.items.flatMap((item) => {
    const first = isMap(item) ? item.items[0] : undefined
    const node = first && isNode(first.value) ? first.value : isNode(item) ? item : undefined
    return [{ path, start: node?.range?.[0] ?? 0, end: node?.range?.[1] ?? 0 }]
  })
}
