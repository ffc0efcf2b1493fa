// Hashing takes tenths of a second of CPU time, so it runs in worker threads and never on the event loop.
import bcrypt from 'bcryptjs'

export type Task =
  | { action: 'hash'; password: string; cost: number }
  | { action: 'compare'; password: string; hash: string; minCost: number }

export default function run(task: Task): Promise<string | boolean> {
  return task.action === 'hash' ? bcrypt.hash(task.password, task.cost) : compare(task)
}

/**
 * Makes a wrong password take as long as with a hash of the cost `minCost`, so that the time does not reveal older
 * accounts with cheaper hashes. Each step of cost doubles the time, so one more comparison at each step makes up for
 * it.
 */
async function compare({ password, hash, minCost }: Extract<Task, { action: 'compare' }>): Promise<boolean> {
  if (await bcrypt.compare(password, hash)) return true
  for (let cost = bcrypt.getRounds(hash); cost < minCost; cost++) await bcrypt.hash(password, cost)
  return false
}
