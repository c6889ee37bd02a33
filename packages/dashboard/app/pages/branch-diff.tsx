import { useState } from 'preact/hooks'
import { words } from '../messages.ts'
import { Pill } from '../parts/basics.tsx'
import { Dialog, Field, Form, textOf } from '../parts/forms.tsx'
import { Failure } from '../parts/jobs.tsx'
import { Empty, Show } from '../parts/states.tsx'
import { setQuery } from '../router.ts'
import { client } from '../service/client.ts'
import { useResource } from '../service/resource.ts'
import { useMay } from '../service/session.ts'
import { Plan } from './pushes.tsx'

const text = words.branchDiff

/** A button that plans a push of a unit and stores the plan's id in the address. */
export function CompareWithBranch({ unitId }: { readonly unitId: string }) {
  const [isOpen, setOpen] = useState(false)
  const begin = async (data: FormData): Promise<void> => {
    const branch = textOf(data, 'branch')
    const { id } = await client.pushes.create({
      branch,
      message: text.message,
      unitIds: [unitId],
      dryRun: true,
    })
    setOpen(false)
    setQuery({ plan: id })
  }
  if (!useMay('write')) return null
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {text.open}
      </button>
      {isOpen && (
        <Dialog title={text.title} onClose={() => setOpen(false)}>
          <p>{text.text}</p>
          <Form label={text.show} onSend={begin}>
            <Field name="branch" label={text.branch} value="stagecraft" />
          </Form>
        </Dialog>
      )}
    </>
  )
}

/** Shows the changes that a planned push of a unit would make in its branch. */
export function BranchDiff({ pushId }: { readonly pushId: string }) {
  const loaded = useResource(`plan ${pushId}`, (signal) => client.pushes.get(pushId, { signal }), ['push'])
  return (
    <Show loaded={loaded}>
      {({ branch, error, plan, state }) => (
        <section class="box" aria-label={text.of(branch)}>
          <div class="head">
            <b>{text.of(branch)}</b>
            <div class="row">
              <Pill state={state} />
              <button type="button" onClick={() => setQuery({ plan: '' })}>
                {text.close}
              </button>
            </div>
          </div>
          <Failure error={error} />
          {plan &&
            (plan.files.some(({ changes }) => changes) ? <Plan plan={plan} /> : <Empty text={text.same} />)}
        </section>
      )}
    </Show>
  )
}
