// Hashing takes tenths of a second of CPU: it runs in worker threads, never on the event loop.
import bcrypt from 'bcryptjs'

export type Task = { act: 'hash'; password: string; cost: number } | { act: 'compare'; password: string; hash: string }

export default function run(task: Task): Promise<string | boolean> {
  return task.act === 'hash' ? bcrypt.hash(task.password, task.cost) : bcrypt.compare(task.password, task.hash)
}
