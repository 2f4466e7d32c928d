import { excludedNetworks, defaultPorts } from '../../../packages/platforms/src/address/webhook-address.ts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { apps, labelsOf, objects, ofKind, selected, specOf, workloads } from './example.ts';
import { page } from './page.ts';
import { environmentOf } from './settings-of.ts';

describe('around the apps', () => {
  it('each deployment, service and network policy selects existing pods', () => {
    for (const deployment of ofKind('Deployment')) {
      expect(selected(labelsOf(specOf(deployment, { selector: z.unknown() }).selector))).toEqual([
        deployment.metadata.name,
      ]);
    }
    for (const service of ofKind('Service')) {
      const { selector, ports } = specOf(service, {
        selector: z.record(z.string(), z.string()),
        ports: z.tuple([z.object({ name: z.literal('http'), targetPort: z.literal('http') })]),
      });
      expect([selected(selector), ports.length]).toEqual([[service.metadata.name], 1]);
    }
    const expressions = z.array(z.object({ key: z.string(), values: z.array(z.string()) })).default([]);
    const chosen = ofKind('NetworkPolicy').map((policy) => {
      const { podSelector } = specOf(policy, {
        podSelector: z.object({
          matchLabels: z.record(z.string(), z.string()).default({}),
          matchExpressions: expressions,
        }),
      });
      const { matchLabels, matchExpressions } = podSelector;
      const named = matchExpressions.flatMap(({ key, values }) =>
        values.flatMap((value) => selected({ [key]: value })),
      );
      return [policy.metadata.name, matchExpressions.length > 0 ? named : selected(matchLabels)];
    });
    const all = workloads.map(({ name }) => name);
    expect(Object.fromEntries(chosen)).toEqual({
      nothing: all,
      'to-dns': all,
      'to-postgres': all,
      'to-rabbitmq': ['landing', 'api', 'feedback-worker', 'operator'],
      'to-collector': ['landing', 'api', 'feedback-worker', 'console'],
      'to-platforms': ['feedback-worker', 'operator', 'console'],
      'from-visitors': ['landing'],
      'from-partners': ['api'],
      'from-people': ['console'],
      'from-prometheus': all,
    });
  });

  it('each rule for outgoing connections names its targets, and only that for platforms is open to public addresses', () => {
    const target = z.union([
      z.strictObject({
        namespaceSelector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
        podSelector: z.object({ matchLabels: z.record(z.string(), z.string()) }).optional(),
      }),
      z.strictObject({ ipBlock: z.object({ cidr: z.string(), except: z.array(z.string()).min(1) }) }),
    ]);
    const rule = z.object({ ports: z.array(z.unknown()).min(1), to: z.array(target).min(1) });
    const open = ofKind('NetworkPolicy').flatMap((policy) => {
      const { egress } = specOf(policy, { egress: z.array(rule).default([]) });
      return egress.flatMap(({ to }) => (to.some((one) => 'ipBlock' in one) ? [policy.metadata.name] : []));
    });
    expect(open).toEqual(['to-platforms']);
  });

  it('the ports and public addresses that are open are those that a webhook may reach', () => {
    const target = z.object({ ipBlock: z.object({ cidr: z.string(), except: z.array(z.string()) }) });
    const policy = ofKind('NetworkPolicy').find(({ metadata }) => metadata.name === 'to-platforms');
    if (policy === undefined) throw new Error('there is no policy to-platforms');
    const { egress } = specOf(policy, {
      egress: z.tuple([z.object({ ports: z.array(z.object({ port: z.number() })), to: z.tuple([target, target]) })]),
    });
    expect(egress[0].ports.map(({ port }) => port)).toEqual(defaultPorts);
    const [ipv4, ipv6] = egress[0].to.map(({ ipBlock }) => ipBlock);
    expect(ipv4).toEqual({ cidr: '0.0.0.0/0', except: excludedNetworks.ipv4 });
    // an exception outside of the block is an error
    const unicast = excludedNetworks.ipv6.filter((network) => /^[23]/.test(network));
    expect(ipv6).toEqual({ cidr: '2000::/3', except: unicast });
  });

  it('only pods of the ingress controller and of Prometheus reach the apps', () => {
    const source = z.strictObject({ namespaceSelector: z.object({ matchLabels: z.record(z.string(), z.string()) }) });
    const rule = z.object({ ports: z.array(z.object({ port: z.string() })), from: z.tuple([source]) });
    const entries = ofKind('NetworkPolicy').flatMap((policy) => {
      const { ingress } = specOf(policy, { ingress: z.array(rule).default([]) });
      return ingress.map(({ ports, from: [{ namespaceSelector }] }): [string, unknown] => [
        policy.metadata.name,
        [ports.map(({ port }) => port), namespaceSelector.matchLabels['kubernetes.io/metadata.name']],
      ]);
    });
    expect(Object.fromEntries(entries)).toEqual({
      'from-visitors': [['http'], 'ingress'],
      'from-partners': [['http'], 'ingress'],
      'from-people': [['http'], 'ingress'],
      'from-prometheus': [['operations'], 'monitoring'],
    });
  });

  it('visitors, partners and people of the console enter through the ingress, which is the only trusted proxy', () => {
    const backends = JSON.stringify(ofKind('Ingress')).matchAll(
      /"service":\{"name":"(.+?)","port":\{"name":"http"\}\}/g,
    );
    const services = ofKind('Service').map(({ metadata }) => metadata.name);
    expect(new Set(Array.from(backends, ([, name]) => name))).toEqual(new Set(services));
    const trusted = apps.flatMap((app) => environmentOf(app, objects).TRUST_PROXY ?? []);
    expect(trusted).toEqual(services.map(() => '1'));
  });

  it('the documented max_connections suffices for all pods and their replacements', () => {
    const limits = [
      ...ofKind('HorizontalPodAutoscaler').map((one) => specOf(one, { maxReplicas: z.number() }).maxReplicas),
      ...ofKind('ScaledObject').map((one) => specOf(one, { maxReplicaCount: z.number() }).maxReplicaCount),
    ];
    const others = workloads.filter(({ name }) => !apps.some((app) => app.name === name));
    const pods = limits.reduce((sum, max) => sum + max + 1, others.length);
    const [, documented] = /`max_connections` of (\d+)/.exec(page) ?? [];
    // the formula of docs/scaling.md
    expect(Number(documented)).toBeGreaterThan(pods * 10 + 20);
  });
});
