import type { Migration } from '../../../core/area.ts'

/** The monitors, their state, their changes of state and the response times behind them. */
export const createUptime: Migration = {
  name: '202611280010-uptime',
  statements: [
    `create table uptime_monitors (
      id integer primary key, name text not null, type text not null, target text not null,
      http_method text not null, http_override_ip text not null, http_keyword text not null,
      http_skip_ssl integer not null, check_interval integer not null, timeout integer not null,
      alert_email text not null, alert_webhook text not null, webhook_skip_ssl integer not null,
      alert_ai integer not null, is_enabled integer not null, dns_failover integer not null,
      dns_zone text not null, dns_record_name text not null, dns_record_type text not null,
      dns_up_ip text not null, dns_down_ip text not null, created_at text not null, revision integer not null
    )`,
    `create table uptime_states (
      monitor_id integer primary key references uptime_monitors (id) on delete cascade,
      state text not null, is_down integer not null, last_check text not null, last_status integer not null,
      last_response_time integer not null, last_error text not null, fail_count integer not null,
      total_checks integer not null, down_at text, recovered_at text, next_check text not null
    )`,
    'create index uptime_states_next_check on uptime_states (next_check)',
    `create table uptime_history (
      id integer primary key, monitor_id integer not null references uptime_monitors (id) on delete cascade,
      event_type text not null, status integer not null, response_time integer not null, error text not null,
      created_at text not null
    )`,
    'create index uptime_history_monitor on uptime_history (monitor_id, id)',
    'create index uptime_history_created_at on uptime_history (created_at)',
    `create table uptime_samples (
      id integer primary key, monitor_id integer not null references uptime_monitors (id) on delete cascade,
      is_ok integer not null, response_time integer not null, created_at text not null
    )`,
    'create index uptime_samples_monitor on uptime_samples (monitor_id, created_at)',
    'create index uptime_samples_created_at on uptime_samples (created_at)',
  ],
}
