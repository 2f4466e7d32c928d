# The image of an app. APP is one of the last stages, which are named after the packages:
#   docker build --build-arg APP=api --tag leadback-api .
# Debian, not Alpine: the tests run on Debian, and Node.js for Alpine is experimental.
# --build-arg BASE=minimal leaves out everything of Debian but what Node needs: no shell, no package manager.
ARG APP
ARG BASE=node:24.21.0-bookworm-slim

FROM node:24.21.0-bookworm-slim AS minimal-files
# Node has its own certificate authorities
RUN mkdir -p /minimal/etc && mkdir -m 1777 /minimal/tmp \
  && echo 'node:x:1000:1000::/:' > /minimal/etc/passwd \
  && cp --parents --dereference /usr/local/bin/node $(ldd /usr/local/bin/node | grep -o '/[^ ]*') /minimal

FROM scratch AS minimal
COPY --from=minimal-files /minimal/ /
ENV PATH=/usr/local/bin

FROM node:24.21.0-bookworm-slim AS tools
ARG NPM_REGISTRY=https://registry.npmjs.org/
ENV NPM_CONFIG_REGISTRY=$NPM_REGISTRY PNPM_CONFIG_REGISTRY=$NPM_REGISTRY TURBO_TELEMETRY_DISABLED=1
WORKDIR /workspace
COPY package.json ./
RUN npm install --global "$(node -p 'require("./package.json").packageManager')" \
  "turbo@$(node -p 'require("./package.json").devDependencies.turbo')"

FROM tools AS prune
COPY . ./
ARG APP
RUN turbo prune "@leadback/$APP" --docker

FROM tools AS build
RUN mkdir -p /volume/leads
# the next four layers stay cached if only sources change
COPY --from=prune /workspace/out/pnpm-lock.yaml /workspace/out/pnpm-workspace.yaml ./
RUN pnpm fetch --ignore-scripts
COPY --from=prune /workspace/out/json/ ./
RUN pnpm install --offline --frozen-lockfile --ignore-scripts
COPY --from=prune /workspace/out/full/ ./
COPY tsconfig.base.json tsup.config.ts ./
COPY scripts/bundle/ ./scripts/bundle/
# pages of the API
COPY CHANGELOG.md ./
COPY docs/partner.md docs/sales-in-files.md docs/corrections.md docs/webhooks.md docs/sdks.md docs/privacy.md docs/campaigns.md docs/clicks.md ./docs/
COPY docs/reference/reasons.md ./docs/reference/
COPY docs/es/ ./docs/es/
COPY docs/pt/ ./docs/pt/
# part of the operator
COPY deploy/rabbitmq/definitions.json ./deploy/rabbitmq/
ARG APP
RUN node scripts/bundle/bundle-app.ts "$APP" /image

FROM $BASE AS app
ENV NODE_ENV=production HOST=0.0.0.0 OPERATIONS_HOST=0.0.0.0
WORKDIR /app
COPY --from=build /image/ ./
USER 1000:1000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.OPERATIONS_PORT ?? process.env.PORT}/health`).then(({ ok }) => process.exit(ok ? 0 : 1))"]
ENTRYPOINT ["node", "dist/main.js"]

FROM app AS landing
ENV PORT=3000 OPERATIONS_PORT=9100 LEAD_SPOOL_FOLDER=/var/lib/leadback/leads
COPY --from=build --chown=1000:1000 /volume/ /var/lib/leadback/
VOLUME /var/lib/leadback/leads
EXPOSE 3000 9100

FROM app AS api
ENV PORT=3001 OPERATIONS_PORT=9101
EXPOSE 3001 9101

FROM app AS feedback-worker
# what it holds is bounded; without limits, Node lets garbage grow before it collects it
ENV OPERATIONS_PORT=9102 NODE_OPTIONS="--max-semi-space-size=32 --max-old-space-size=256"
EXPOSE 9102

FROM app AS console
ENV PORT=3004 OPERATIONS_PORT=9103
EXPOSE 3004 9103

FROM app AS platform-sandbox
ENV PORT=3003
EXPOSE 3003

FROM app AS operator
# commands end by themselves
HEALTHCHECK NONE
CMD ["--help"]

FROM $APP
