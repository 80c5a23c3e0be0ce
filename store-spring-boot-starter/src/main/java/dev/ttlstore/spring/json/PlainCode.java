package dev.ttlstore.spring.json;

import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.asm.Handle;
import org.springframework.asm.Label;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;

/** Reads the code of a method. If the method only returns or sets a field, says which one. */
final class PlainCode extends MethodVisitor {

    private static final int ENOUGH = 1_000;
    private static final Pattern PLAIN =
            Pattern.compile("this get (\\S+) return |this value put (\\S+) (?:this )?return ");

    private final String owner;
    private final Consumer<String> field;
    private final StringBuilder steps = new StringBuilder();

    PlainCode(String owner, Consumer<String> field) {
        super(SpringAsmInfo.ASM_VERSION);
        this.owner = owner;
        this.field = field;
    }

    private void add(String step) {
        if (steps.length() < ENOUGH) {
            steps.append(step).append(' ');
        }
    }

    private void addOther() {
        add("other");
    }

    @Override
    public void visitVarInsn(int opcode, int variable) {
        boolean loads = opcode >= Opcodes.ILOAD && opcode <= Opcodes.ALOAD;
        add(loads && variable == 0 ? "this" : loads && variable == 1 ? "value" : "other");
    }

    @Override
    public void visitFieldInsn(int opcode, String of, String name, String descriptor) {
        boolean reads = opcode == Opcodes.GETFIELD;
        add(of.equals(owner) && (reads || opcode == Opcodes.PUTFIELD) ? (reads ? "get " : "put ") + name : "other");
    }

    @Override
    public void visitInsn(int opcode) {
        add(opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN ? "return" : "other");
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
        addOther();
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
        addOther();
    }

    @Override
    public void visitMethodInsn(int opcode, String of, String name, String descriptor, boolean isInterface) {
        addOther();
    }

    @Override
    public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
        addOther();
    }

    @Override
    public void visitJumpInsn(int opcode, Label label) {
        addOther();
    }

    @Override
    public void visitLdcInsn(@Nullable Object value) {
        addOther();
    }

    @Override
    public void visitIincInsn(int variable, int increment) {
        addOther();
    }

    @Override
    public void visitTableSwitchInsn(int min, int max, Label other, Label... labels) {
        addOther();
    }

    @Override
    public void visitLookupSwitchInsn(Label other, int[] keys, Label[] labels) {
        addOther();
    }

    @Override
    public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
        addOther();
    }

    @Override
    public void visitEnd() {
        Matcher plain = PLAIN.matcher(steps);
        if (plain.matches()) {
            field.accept(plain.group(1) != null ? plain.group(1) : plain.group(2));
        }
    }
}
