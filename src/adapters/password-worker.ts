// Hashing takes tenths of a second of CPU: it runs in worker threads, never on the event loop.
import bcrypt from 'bcryptjs'

export type Task =
  { act: 'hash'; password: string; cost: number } | { act: 'compare'; password: string; hash: string; lasting: number }

export default function run(task: Task): Promise<string | boolean> {
  return task.act === 'hash' ? bcrypt.hash(task.password, task.cost) : compare(task)
}

/**
 * A wrong password takes as long as with a hash of the cost `lasting`, so that cheaper hashes, which are older accounts,
 * cannot be told by time: each step of cost doubles the time, so one more comparison at each step makes up for it.
 */
async function compare({ password, hash, lasting }: Extract<Task, { act: 'compare' }>): Promise<boolean> {
  if (await bcrypt.compare(password, hash)) return true
  for (let cost = bcrypt.getRounds(hash); cost < lasting; cost++) await bcrypt.hash(password, cost)
  return false
}
