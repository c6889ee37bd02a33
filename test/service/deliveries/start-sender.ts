import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { DeliveriesOptions } from '../../../packages/service/src/delivery/deliveries-options.ts'
import { repositoryPath } from '../../paths.ts'
import type { StorePlace } from '../each-store.ts'

/** Starts a process that sends deliveries, and waits until it does. */
export async function startSender(
  place: StorePlace,
  options: Omit<DeliveriesOptions, 'metrics' | 'random'>,
): Promise<ChildProcess> {
  const file = repositoryPath('test/service/deliveries/sender-process.ts')
  const child = fork(file, [JSON.stringify(place), JSON.stringify(options)], { execArgv: [] })
  await once(child, 'message')
  return child
}

/** Ends a process as a crash does. */
export async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
