/** The page around the renderer; what it loads is served by us. */
export const docsPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>Leadback API</title>
<link rel="icon" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/page.css">
</head>
<body>
<noscript><p>This page is drawn by a script. The same is in <a href="/openapi.json">openapi.json</a>, for any OpenAPI reader.</p></noscript>
<main id="docs"></main>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/page.js"></script>
</body>
</html>
`;

export const docsStyle = `
body { margin: 0; background: #fafafa }
noscript p { font: 1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 15vh auto; padding: 0 1rem }
.swagger-ui .info { margin: 2rem 0 }
.swagger-ui .info .markdown { max-width: 46rem }
.swagger-ui .info .markdown :is(p, li) { font-size: 1rem; line-height: 1.6 }
.swagger-ui .info .markdown pre { overflow-x: auto }
.swagger-ui .opblock-summary-path { overflow-wrap: anywhere }
`;

export const docsScript = `
SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  persistAuthorization: false,
  validatorUrl: null,
});
`;
