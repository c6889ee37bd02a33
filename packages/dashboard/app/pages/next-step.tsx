import type { ScanResource } from '@stagecraft/spec/api'
import { words } from '../messages.ts'
import { href } from '../router.ts'

const text = words.overview.next

/** A step towards the first models, with the page where it is done. */
export interface Step {
  readonly text: string
  readonly link: string
  readonly href: string
}

interface Reached {
  readonly units: number
  readonly hasConnection: boolean
  /** The newest complete one. */
  readonly scan: ScanResource | undefined
  readonly hasGenerated: boolean
}

/** Returns the next step on the way to the first models; undefined once there are some. */
export function stepAfter({ hasConnection, hasGenerated, scan, units }: Reached): Step | undefined {
  if (units > 0)
    return hasGenerated ? undefined : { text: text.units, link: words.units.title, href: href('/units') }
  if (!hasConnection) return { text: text.connect, link: words.connections.title, href: href('/connections') }
  if (!scan) return { text: text.scan, link: words.scans.title, href: href('/scans') }
  const { connectionId } = scan
  return { text: text.generate, link: words.bulk.link, href: href('/bulk', { connectionId, look: '1' }) }
}

/** Shows a step, with a link to the page where it is done. */
export function NextStep({ step }: { readonly step: Step }) {
  return (
    <section class="box row" aria-label={text.title}>
      <p>
        <b>{text.title}.</b> {step.text}
      </p>
      <a class="button main" href={step.href}>
        {step.link}
      </a>
    </section>
  )
}
