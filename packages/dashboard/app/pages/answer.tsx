import type { CitationRecord, TalkAnswer } from '@stagecraft/spec/api'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { words } from '../messages.ts'
import { Show } from '../parts/states.tsx'
import { href } from '../router.ts'
import { client } from '../service/client.ts'
import { useResource } from '../service/resource.ts'

const text = words.assistant

/** Shows an answer: its text, its citations, and unknown facts. */
export function Answer({ answer }: { readonly answer: TalkAnswer }) {
  const { citations, fallback, proposals, stoppedBy, text: said, unknown } = answer
  const [open, setOpen] = useState<number>()
  return (
    <>
      <div class="answer">{marked(said, setOpen)}</div>
      {citations.length > 0 && (
        <ul class="cited">
          {citations.map((citation) => (
            <li key={citation.mark}>
              <Citation citation={citation} isOpen={citation.mark === open} />
            </li>
          ))}
        </ul>
      )}
      {proposals.map((id) => (
        <p key={id}>
          <a class="button" href={href(`/proposals/${id}`)}>
            {text.see}
          </a>
        </p>
      ))}
      {unknown.map((reason) => (
        <p class="muted" key={reason}>
          {text.unknown}: {reason}
        </p>
      ))}
      {(fallback ?? stoppedBy) !== undefined && (
        <p class="warned">
          {fallback} {stoppedBy && text.stopped[stoppedBy]}
        </p>
      )}
    </>
  )
}

/** Converts the markup of an answer to elements; everything else stays text. */
function marked(said: string, show: (mark: number) => void): ComponentChildren {
  return said.split(/(\[\d+\]|`[^`\n]+`|\*\*[^*\n]+\*\*)/).map((part, index) => {
    const mark = /^\[(\d+)\]$/.exec(part)?.[1]
    if (mark !== undefined)
      return (
        <button type="button" class="link mark" key={index} onClick={() => show(Number(mark))}>
          {part}
        </button>
      )
    if (/^`.+`$/.test(part)) return <code key={index}>{part.slice(1, -1)}</code>
    return /^\*\*.+\*\*$/.test(part) ? <b key={index}>{part.slice(2, -2)}</b> : part
  })
}

interface CitationProps {
  readonly citation: CitationRecord
  /** True if its mark was clicked last. */
  readonly isOpen: boolean
}

function Citation({ citation: { endLine, file, line, mark, text: first }, isOpen }: CitationProps) {
  const [isLookedAt, setLookedAt] = useState(false)
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setLookedAt(currentTarget.open)}>
      <summary>
        [{mark}] <code>{`${file}:${line}${endLine === undefined ? '' : `–${endLine}`}`}</code>
      </summary>
      <pre class="quote">{first}</pre>
      {isLookedAt && <Ways file={file} line={line} endLine={endLine ?? line} />}
    </details>
  )
}

interface WaysProps {
  readonly file: string
  readonly line: number
  readonly endLine: number
}

/** Links to the file, and to the unit that generates it. */
function Ways({ endLine, file, line }: WaysProps) {
  const name = file.slice(file.lastIndexOf('/') + 1).replace(/\.\w+$/, '')
  const loaded = useResource(
    `unit of ${name}`,
    (signal) => client.units.list({ search: name, limit: 10 }, { signal }).page(),
    [],
  )
  return (
    <Show loaded={loaded}>
      {({ items }) => {
        const unit = items.find((one) => one.name === name)
        return (
          <div class="row">
            <a href={href('/file', { path: file, line: String(line), end: String(endLine) })}>
              {text.openFile}
            </a>
            {unit && <a href={href(`/units/${unit.id}`)}>{text.open(unit.name)}</a>}
          </div>
        )
      }}
    </Show>
  )
}
