import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { at127, freePort, startPart } from './parts.ts'
import type { Session } from './session.ts'

export type Nginx = {
  origin: string
  pid: number
  /** Sends no new requests to the instance on a port, and to all others again. */
  exclude(instance: number | undefined): Promise<void>
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
  const write = (excluded?: number): void => {
    const servers = instances.map((each) => `server 127.0.0.1:${each} max_fails=0${each === excluded ? ' down' : ''};`)
    writeFileSync(path, configuration(port, `${servers.join(' ')} keepalive 64;`, location))
  }
  write()
  const { pid, stop } = await startPart('nginx', ['-p', folder, '-c', path, '-e', join(folder, 'errors')], port)
  onEnd(() => stop())
  return {
    origin: at127(port),
    pid,
    async exclude(instance) {
      write(instance)
      process.kill(pid, 'SIGHUP')
      await sleep(RELOAD_MS)
    },
  }
}

/** Returns the location of the service. The load sends a client address with each request. */
function shippedLocation(buffers: boolean): string {
  const shipped = readFileSync('deploy/nginx/tawthiq.conf', 'utf8')
  const [location = ''] = /^ {4}location \/ \{[\s\S]*?^ {4}\}/m.exec(shipped) ?? []
  const own = location.replace('$remote_addr', '$http_x_forwarded_for')
  return buffers ? own : own.replace('proxy_request_buffering on', 'proxy_request_buffering off; proxy_buffering off')
}

/** Paths are relative to the prefix of nginx. */
function configuration(port: number, upstream: string, location: string): string {
  return `daemon off; worker_processes 1; pid nginx.pid; error_log errors;
events { worker_connections 4096; }
http {
  client_body_temp_path client_body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi;
  scgi_temp_path scgi; access_log off;
  upstream tawthiq { zone instances 64k; ${upstream} }
  server { listen 127.0.0.1:${port}; client_max_body_size 42m; keepalive_requests 1000000;
  ${location} }
}\n`
}
