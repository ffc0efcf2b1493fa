import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { at127, freePort, startPart } from './parts.ts'
import type { Session } from './session.ts'

export type Nginx = {
  origin: string
  pid: number
  /** Sends no new requests to an instance. */
  remove(at: number): Promise<void>
  /** Sends requests to all instances again. */
  addAll(): Promise<void>
}

const RELOAD_MS = 1000

/**
 * Starts nginx with the locations of deploy/nginx, without TLS, in front of the instances.
 *
 * @param buffers whether nginx stores bodies, so that slow clients do not occupy the instances
 */
export async function startNginx(
  { folder: parent, onEnd }: Session,
  instances: readonly number[],
  buffers: boolean,
): Promise<Nginx> {
  const port = await freePort()
  const folder = join(parent, `nginx-${port}`)
  mkdirSync(folder)
  const path = join(folder, 'nginx.conf')
  const location = shippedLocation(buffers)
  const write = (removed?: number): void => {
    const servers = instances.map((each, at) => `server 127.0.0.1:${each} max_fails=0${at === removed ? ' down' : ''};`)
    writeFileSync(path, configuration(folder, port, `${servers.join(' ')} keepalive 64;`, location))
  }
  write()
  const args = ['-p', folder, '-c', path, '-e', join(folder, 'errors')]
  const part = await startPart('nginx', args, port)
  onEnd(() => part.stop())
  const reload = async (removed?: number): Promise<void> => {
    write(removed)
    process.kill(part.pid, 'SIGHUP')
    await sleep(RELOAD_MS)
  }
  return { origin: at127(port), pid: part.pid, remove: reload, addAll: () => reload() }
}

/** Returns the location of the service. The load sends a client address with each request. */
function shippedLocation(buffers: boolean): string {
  const shipped = readFileSync('deploy/nginx/tawthiq.conf', 'utf8')
  const [location = ''] = /^ {4}location \/ \{[\s\S]*?^ {4}\}/m.exec(shipped) ?? []
  const own = location.replace('$remote_addr', '$http_x_forwarded_for')
  return buffers ? own : own.replace('proxy_request_buffering on', 'proxy_request_buffering off; proxy_buffering off')
}

function configuration(folder: string, port: number, upstream: string, location: string): string {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  return `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/errors;
events { worker_connections 4096; }
http {
  ${paths.join(' ')} access_log off;
  upstream tawthiq { zone instances 64k; ${upstream} }
  server { listen 127.0.0.1:${port}; client_max_body_size 42m; keepalive_requests 1000000;
  ${location} }
}\n`
}
