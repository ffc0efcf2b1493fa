import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../scale/parts.ts'

export type Nginx = {
  origin: string
  /** Sends no new requests to an instance. */
  remove(at: number): Promise<void>
  /** Sends requests to all instances again. */
  addAll(): Promise<void>
  stop(): Promise<void>
}

const RELOAD_MS = 1000

export async function startNginx(folder: string, ports: readonly number[]): Promise<Nginx> {
  const port = await freePort()
  const path = join(folder, 'nginx.conf')
  const write = (removed: number | undefined): void =>
    writeFileSync(path, configuration({ folder, port, ports, removed }))
  write(undefined)
  const child = spawn('nginx', ['-c', path, '-p', folder, '-e', join(folder, 'nginx-errors')], { stdio: 'inherit' })
  const ended = once(child, 'exit')
  await sleep(RELOAD_MS)
  const reload = async (removed?: number): Promise<void> => {
    write(removed)
    child.kill('SIGHUP')
    await sleep(RELOAD_MS)
  }
  return {
    origin: `http://127.0.0.1:${port}`,
    remove: reload,
    addAll: () => reload(),
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

type Settings = { folder: string; port: number; ports: readonly number[]; removed: number | undefined }

/** The defaults of nginx retry on another instance if a connection fails before the request was sent. */
function configuration({ folder, port, ports, removed }: Settings): string {
  const servers = ports.map((each, at) => `server 127.0.0.1:${each} max_fails=0${at === removed ? ' down' : ''};`)
  return `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/nginx-errors;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  upstream tawthiq {
    ${servers.join('\n    ')}
    keepalive 32;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://tawthiq;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
      # The load sends a client address with each request.
      proxy_set_header X-Forwarded-For $http_x_forwarded_for;
      proxy_request_buffering off;
      proxy_buffering off;
      client_max_body_size 42m;
    }
  }
}
`
}
