interface Line {
  readonly look: string
  readonly sign: string
  readonly text: string
}

const LOOKS: Readonly<Record<string, string>> = { '+': 'add', '-': 'del' }

/** Shows the lines of a unified diff. Signs repeat the meaning of colours. */
function toLine(line: string): Line {
  const sign = line.startsWith('@@') ? '' : line.slice(0, 1)
  return { look: LOOKS[sign] ?? 'code-comment', sign, text: line }
}

/** Returns the lines of a patch after its file names. */
export function linesOf(patch: string): readonly string[] {
  const lines = patch.replace(/\n$/, '').split('\n')
  return lines[0]?.startsWith('--- ') ? lines.slice(2) : lines
}

export function Diff({ label, lines }: { readonly label: string; readonly lines: readonly string[] }) {
  return (
    <div class="code" tabIndex={0} role="region" aria-label={label}>
      <pre>
        {lines.map(toLine).map(({ look, sign, text }, index) => (
          <span key={index} class={look === 'code-comment' && sign === ' ' ? '' : look} data-line={sign}>
            {sign === '' ? text : text.slice(1)}
          </span>
        ))}
      </pre>
    </div>
  )
}
