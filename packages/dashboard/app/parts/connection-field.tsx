import { useId } from 'preact/hooks'
import { words } from '../messages.ts'
import { client } from '../service/client.ts'
import { useResource } from '../service/resource.ts'
import { Problem } from './states.tsx'

function useConnections() {
  return useResource(
    'connections to choose',
    (signal) => client.connections.list({ limit: 200 }, { signal }).page(),
    ['connection'],
  )
}

/** Returns the known names of connections by id. */
export function useConnectionNames(): ReadonlyMap<string, string> {
  return new Map(useConnections().data?.items.map(({ id, name }) => [id, name]))
}

/** Selects a connection. Its form reads `connectionId`, which is empty for the default. */
export function ConnectionField({ value = '' }: { readonly value?: string }) {
  const id = useId()
  const { data, error } = useConnections()
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
