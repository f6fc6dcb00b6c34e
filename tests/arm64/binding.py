#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A device tree binding, its example and the driver agree.

binding.py example BINDING: print the example in a tree that has what it refers to.
binding.py check BINDING TREE SOURCE: the check.

BINDING is the YAML file, TREE its example as dtc prints it again (dtc -I dtb -O
dts), SOURCE the driver's file.  dt-schema, which is what judges bindings in the
kernel, is no Debian package; this checks what it would of this one file, in the
words of the core meta-schema that the file uses: const, enum, items, minItems,
maxItems, required, additionalProperties.  Ends with the line of counts.
"""

import re
import sys

import yaml

# What any node may have (dt-schema's dt-core.yaml).
EVERYWHERE = {"#address-cells", "#size-cells", "interrupt-parent", "phandle", "status"}
# 32-bit words of an entry, in the tree that the test puts around the example.
CELLS = {"reg": 2, "interrupts": 3, "clocks": 2, "resets": 2, "power-domains": 1}

# What the example refers to.
AROUND = """/dts-v1/;
%s
/ {
	#address-cells = <1>;
	#size-cells = <1>;
	interrupt-parent = <&gic>;

	gic: controller { interrupt-controller; #interrupt-cells = <3>; };
	clks: clocks { #clock-cells = <1>; };
	pd_pu: domain { #power-domain-cells = <0>; };
%s
};
"""

passed = failed = 0


def check(good, what):
    global passed, failed
    passed += bool(good)
    failed += not good
    print("ok   " if good else "FAIL ", what)


def nodes(tree):
    """Each node without children: its name and its properties' texts."""
    for name, body in re.findall(r"([\w,@-]+) \{([^{}]*)\};", tree):
        yield name, dict(re.findall(r"^\s*([\w,#-]+)(?: = (.*))?;$", body, re.M))


def entries(name, text):
    """The values of a property: strings, or groups of words."""
    strings = re.findall(r'"([^"]*)"', text)
    if strings:
        return strings
    words = re.findall(r"0x[0-9a-f]+", text)
    size = CELLS.get(name, 1)
    check(len(words) % size == 0, f"{name}: whole entries")
    return words[::size]


def check_property(name, text, schema):
    if schema is True:
        return
    values = entries(name, text)
    items = schema.get("items")
    most = schema.get("maxItems", len(items) if isinstance(items, list) else 1)
    check(schema.get("minItems", most) <= len(values) <= most, f"{name}: number of entries")
    if "const" in schema:
        check(values in ([schema["const"]], [hex(schema["const"])]
                         if isinstance(schema["const"], int) else None), f"{name}: the value")
    if isinstance(items, dict) and "enum" in items:
        check(set(values) <= set(items["enum"]), f"{name}: known names")
        check(len(set(values)) == len(values), f"{name}: each once")


def check_node(node, binding):
    properties = binding["properties"]
    for name in binding["required"]:
        check(name in node, f"{name} is there")
    for name, text in node.items():
        known = name in properties
        check(known or name in EVERYWHERE, f"{name} is in the binding")
        if known:
            check_property(name, text, properties[name])
    check(len(entries("clocks", node["clocks"])) ==
          len(entries("clock-names", node["clock-names"])), "each clock has a name")


def check_binding(binding, path):
    for key in ("$id", "$schema", "title", "maintainers", "properties", "required", "examples"):
        check(key in binding, f"the binding has {key}")
    check(binding["$id"].endswith(path.split("bindings/")[1] + "#"), "its name is its place")
    check(binding["additionalProperties"] is False, "nothing else may be in a node")
    check(set(binding["required"]) <= set(binding["properties"]), "what is required is described")


def check_driver(binding, source):
    properties = binding["properties"]
    clocks = re.findall(r'\[CLOCK_\w+\] = "(\w+)"', source)
    check(sorted(clocks) == sorted(properties["clock-names"]["items"]["enum"]),
          "the driver asks for the clocks of the binding")
    check(re.findall(r'\.compatible = "([^"]*)"', source) == [properties["compatible"]["const"]],
          "the driver's compatible is that of the binding")
    for supply in re.findall(r'regulator_get\w*\(dev, "(\w+)"', source):
        check(f"{supply}-supply" in properties, f"the supply {supply} is in the binding")


def read_binding(path):
    with open(path) as file:
        return yaml.safe_load(file)


def example(path):
    lines = read_binding(path)["examples"][0].splitlines()
    includes = [line for line in lines if line.startswith("#include")]
    print(AROUND % ("\n".join(includes), "\n".join(l for l in lines if l not in includes)))


def check_all(binding_path, tree_path, source_path):
    binding = read_binding(binding_path)
    with open(tree_path) as file:
        tree = file.read()
    with open(source_path) as file:
        source = file.read()
    check_binding(binding, binding_path)
    check_driver(binding, source)
    ours = [node for name, node in nodes(tree)
            if binding["properties"]["compatible"]["const"] in node.get("compatible", "")]
    check(len(ours) == 1, "the example has one such node")
    for node in ours:
        check_node(node, binding)
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return failed > 0


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "example":
        sys.exit(example(sys.argv[2]))
    if len(sys.argv) == 5 and sys.argv[1] == "check":
        sys.exit(check_all(*sys.argv[2:]))
    sys.exit(__doc__)
