# Calls the file leadback.py in the folder of the first argument as each line of standard input says in JSON, and prints
# in a line what it returns or raises.
import json
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import leadback as sdk


def snake_case(name):
    return re.sub("[A-Z]", lambda letter: "_" + letter.group().lower(), name)


def call(asked):
    options = asked["options"]
    arguments = asked["arguments"]
    # the third language has seconds, too
    if "timeoutMs" in options:
        options["timeout"] = options.pop("timeoutMs") / 1000
    client = sdk.Leadback(**{snake_case(name): value for name, value in options.items()})
    name = snake_case(asked["call"])
    function = getattr(client, name) if hasattr(client, name) else getattr(sdk, name)
    keywords = {}
    # options of a call are keyword arguments
    if name.startswith("register_") and len(arguments) == 2:
        keywords = {snake_case(key): value for key, value in arguments.pop().items()}
    result = function(*arguments, **keywords)
    return list(result) if name == "list_conversions" else result


def outcome(asked):
    try:
        return {"result": call(asked)}
    except sdk.LeadbackError as error:
        return {
            "error": {
                "status": error.status,
                "code": error.code,
                "message": error.message,
                "requestId": error.request_id,
            }
        }
    except Exception as error:
        return {"thrown": str(error)}


for line in sys.stdin:
    print(json.dumps(outcome(json.loads(line))), flush=True)
