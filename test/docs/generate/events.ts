import { EVENT_DATA, EVENT_KIND_NAMES, EVENT_KINDS, type EventKind, exampleEvent } from '@stagecraft/spec/api'
import { table } from './table.ts'

interface Node {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Node>>
  readonly required?: readonly string[]
}

/** Prints a section for each kind of event: its members, and the example of the service. */
export function eventSections(): string {
  return EVENT_KIND_NAMES.map(section).join('\n\n')
}

function section(kind: EventKind): string {
  const { properties = {} } = EVENT_DATA[kind].toJSONSchema() as Node
  const members = Object.entries(properties).map(([name, node]) => [`\`${name}\``, typeOf(node)])
  const example = JSON.stringify(exampleEvent(kind).data, null, 2)
  return [
    `## ${kind}`,
    EVENT_KINDS[kind],
    table(['Member of `data`', 'Type'], members),
    `\`\`\`json\n${example}\n\`\`\``,
  ].join('\n\n')
}

function typeOf({ enum: values, type = 'object' }: Node): string {
  return values ? values.map((value) => `\`${String(value)}\``).join(', ') : type
}
