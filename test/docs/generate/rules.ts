import { type Rule, RULES } from '@stagecraft/analysis'
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
  const state = isDefault ? severity : `${severity}, off unless it is named`
  const flags = fix?.safety === 'unsafe' ? '--fix --unsafe' : '--fix'
  return [
    `## ${id}`,
    `\`${name}\`, group \`${group}\`, ${state}. ${sentence(summary)}`,
    docs.why,
    `\`\`\`${docs.example.language}\n${docs.example.code}\n\`\`\``,
    docs.remedy,
    ...(fix ? [`**Fix** (\`${flags}\`): ${fix.summary}.`] : []),
  ].join('\n\n')
}
