import type { ScanResource } from '@stagecraft/spec/api'
import { words } from '../messages.ts'
import { number } from '../parts/format.ts'
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
  const { connect, generate, noTables, scan: toScan, units: toUnits } = text
  if (units > 0) return hasGenerated ? undefined : { ...toUnits(number(units)), href: href('/units') }
  if (!hasConnection) return { ...connect, href: href('/connections') }
  if (!scan) return { ...toScan, href: href('/scans') }
  const { connectionId, tables = 0 } = scan
  if (tables === 0) return { ...noTables, href: href('/connections') }
  return { ...generate(number(tables)), href: href('/bulk', { connectionId, look: '1' }) }
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
