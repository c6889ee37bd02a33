import { type Rule, RULES } from '@stagecraft/analysis'
import { type LabelledHit, readLabelledHits } from '../../lint/labelled-hits.ts'
import { sentence, table } from './table.ts'

/** Prints all rules as a table. */
export function ruleTable(): string {
  return table(
    ['Rule', 'Name', 'Severity', 'Fix', 'Finds'],
    RULES.map((rule) => [
      `[${rule.id}](#${rule.id.toLowerCase()})`,
      `\`${rule.name}\``,
      rule.isDefault ? rule.severity : `off (${rule.severity})`,
      rule.fix?.safety ?? '',
      sentence(rule.summary),
    ]),
  )
}

/** Prints a section for each rule, whose anchor is its id. */
export function ruleSections(): string {
  return RULES.map(section).join('\n\n')
}

function section({ docs, fix, group, id, isDefault, name, severity, summary }: Rule): string {
  const state = isDefault ? severity : `${severity}, off by default`
  const flags = fix?.safety === 'unsafe' ? '--fix --unsafe' : '--fix'
  return [
    `## ${id}`,
    `\`${name}\`, group \`${group}\`, ${state}. ${sentence(summary)}`,
    docs.why,
    `\`\`\`${docs.example.language}\n${docs.example.code}\n\`\`\``,
    docs.remedy,
    ...(fix ? [`**Fix** (\`${flags}\`): ${fix.summary}.`] : []),
    ...(docs.noFix === undefined ? [] : [`**No fix**: ${docs.noFix}`]),
  ].join('\n\n')
}

/** Prints how often rules that are on were right, of the hits that a person looked at. */
export function sampleTable(): string {
  const hits = readLabelledHits()
  const rows = RULES.filter(({ isDefault }) => isDefault).map(({ id, name }) => {
    const own = hits.filter(({ rule }) => rule === id)
    const isPublic = ({ origin }: LabelledHit): boolean => origin.startsWith('public')
    return [
      `[${id}](#${id.toLowerCase()})`,
      `\`${name}\``,
      ...count(own.filter(isPublic)),
      ...count(own.filter((hit) => !isPublic(hit))),
      `${own.filter(({ verdict }) => verdict === 'wrong, mended').length || ''}`,
    ]
  })
  return table(
    ['Rule', 'Name', 'Public: judged', 'right', 'Planted: judged', 'right', 'Wrong, fixed since'],
    rows,
  )
}

/** The number of hits that the rule still has, and of those that are right. */
function count(hits: readonly LabelledHit[]): readonly [judged: string, right: string] {
  const left = hits.filter(({ verdict }) => verdict !== 'wrong, mended')
  const right = left.filter(({ verdict }) => verdict === 'right')
  return left.length === 0 ? ['', ''] : [`${left.length}`, `${right.length}`]
}
