/** A real Slurm of two nodes on this machine, in a folder of its own. */
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from './until.ts'

const programs = ['munged', 'slurmctld', 'slurmd', 'sbatch', 'scontrol']
/** Its daemons change users, so they want root; and `slurmd` wants every program. */
export const hasSlurm: boolean =
  process.getuid?.() === 0 && programs.every((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0)

export interface Cluster {
  /** To be laid over the environment of whoever asks it. */
  readonly env: Readonly<Record<string, string>>
  readonly run: (program: string, ...args: string[]) => string
  readonly stop: () => Promise<void>
}

/** `cpus` is what a node says it has. */
export async function startSlurm({ cpus = 1 }: { cpus?: number } = {}): Promise<Cluster> {
  // munged wants a short path for its socket
  const folder = mkdtempSync(join(tmpdir(), 'slurm-'))
  const at = (name: string): string => join(folder, name)
  const stop = async (): Promise<void> => {
    for (const name of ['slurmd-n1', 'slurmd-n2', 'slurmctld', 'munged']) {
      const file = join(folder, `${name}.pid`)
      if (!existsSync(file)) continue
      const pid = readFileSync(file, 'utf8').trim()
      spawnSync('kill', [pid])
      // it still writes while it ends
      await until(() => spawnSync('kill', ['-0', pid]).status !== 0, { milliseconds: 50 })
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
  writeFileSync(at('munge.key'), randomBytes(1024), { mode: 0o400 })
  for (const name of ['state', 'spool-n1', 'spool-n2']) mkdirSync(at(name))
  // below those that the system gives to connections
  const port = 20_000 + (process.pid % 4000) * 3
  const node = (name: string, own: number): string =>
    `NodeName=${name} NodeHostname=${hostname()} NodeAddr=127.0.0.1 Port=${own} CPUs=${cpus} RealMemory=4096 State=UNKNOWN`
  writeFileSync(
    at('slurm.conf'),
    [
      'ClusterName=test',
      `SlurmctldHost=${hostname()}(127.0.0.1)`,
      'SlurmUser=root',
      'AuthType=auth/munge',
      // a task that is queued again waits as long as a credential lasts, by default two minutes
      `AuthInfo=socket=${at('munge.sock')},cred_expire=15`,
      'CredType=cred/munge',
      `SlurmctldPort=${port}`,
      `StateSaveLocation=${at('state')}`,
      `SlurmdSpoolDir=${at('spool-%n')}`,
      `SlurmctldPidFile=${at('slurmctld.pid')}`,
      `SlurmdPidFile=${at('slurmd-%n.pid')}`,
      `SlurmctldLogFile=${at('slurmctld.log')}`,
      `SlurmdLogFile=${at('slurmd-%n.log')}`,
      'ProctrackType=proctrack/linuxproc',
      'TaskPlugin=task/none',
      'SelectType=select/cons_tres',
      'SelectTypeParameters=CR_Core',
      'JobAcctGatherType=jobacct_gather/none',
      'AccountingStorageType=accounting_storage/none',
      'MpiDefault=none',
      'ReturnToService=2',
      'KillWait=20',
      // a job whose time has come starts now, and not within a minute
      'SchedulerParameters=sched_interval=1,bf_interval=1',
      // a node may say that it has more processors than this machine
      'SlurmdParameters=config_overrides',
      node('n1', port + 1),
      node('n2', port + 2),
      'PartitionName=debug Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP',
      '',
    ].join('\n'),
  )
  const env = { SLURM_CONF: at('slurm.conf') }
  const run = (program: string, ...args: string[]): string =>
    execFileSync(program, args, { env: { ...process.env, ...env }, encoding: 'utf8' })
  const files = [
    '--socket',
    'munge.sock',
    '--key-file',
    'munge.key',
    '--pid-file',
    'munged.pid',
    '--log-file',
    'munged.log',
    '--seed-file',
    'munge.seed',
  ]
  try {
    run('munged', '--force', ...files.map((name) => (name.startsWith('--') ? name : at(name))))
    run('slurmctld', '-f', at('slurm.conf'))
    for (const name of ['n1', 'n2']) run('slurmd', '-N', name, '-f', at('slurm.conf'))
    const states = (): string =>
      spawnSync('sinfo', ['--noheader', '--format', '%T %D'], {
        env: { ...process.env, ...env },
        encoding: 'utf8',
      }).stdout.trim()
    await until(() => states() === 'idle 2', { milliseconds: 100 })
  } catch (error) {
    await stop()
    throw error
  }
  return { env, run, stop }
}
