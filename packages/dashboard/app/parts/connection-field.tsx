import { useId } from 'preact/hooks'
import { words } from '../messages.ts'
import { client } from '../service/client.ts'
import { useResource } from '../service/resource.ts'
import { Problem } from './states.tsx'

/** The choice of a connection; its form reads it as `connectionId`, empty for the default one. */
export function ConnectionField({ value = '' }: { readonly value?: string }) {
  const id = useId()
  const { data, error } = useResource(
    'connections to choose',
    (signal) => client.connections.list({ limit: 200 }, { signal }).page(),
    ['connection'],
  )
  return (
    <div class="field">
      <label for={id}>{words.scans.connection}</label>
      <select id={id} name="connectionId">
        <option value="">{words.scans.chooseConnection}</option>
        {data?.items.map(({ id, name }) => (
          <option key={id} value={id} selected={id === value}>
            {name}
          </option>
        ))}
      </select>
      <Problem error={error} />
    </div>
  )
}
